import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { setup } from './harness.ts'

const HOST = fileURLToPath(new URL('./native-host.ts', import.meta.url))

interface Finished {
  code: number
  out: string
  err: string
}

function run(...args: string[]): Promise<Finished> {
  return new Promise(resolve => {
    execFile(process.execPath, args, { timeout: 15_000 }, (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code ?? -1), out, err }))
  })
}

const FILES = {
  'cordis.yml': '- id: probe\n  name: ./probe.ts\n  config: { n: 1 }\n- id: bare\n  name: my-plugin\n',
  'probe.ts': `import { Context, Service } from 'cordis'\nimport z from 'schemastery'\nimport { plural } from '@deepseek-ai/dsh-text'\nexport default class Probe extends Service {\n  static readonly Config = z.object({ n: z.number() })\n  isHosts(other: unknown): boolean { return other === Context }\n  readonly text: string = plural(2, 'file')\n  constructor(ctx: Context) { super(ctx, 'probe') }\n}\n`,
  'node_modules/cordis/package.json': '{"name":"cordis","version":"0.0.1","type":"module","exports":"./index.js"}',
  'node_modules/cordis/index.js': 'export class Context {}\nexport class Service {}\n',
  'node_modules/my-plugin/package.json': '{"name":"my-plugin","version":"1.0.0","exports":"./index.cjs"}',
  'node_modules/my-plugin/index.cjs': 'const { Service } = require("cordis")\nmodule.exports = class extends Service { constructor(ctx) { super(ctx, "bare") } }\n',
}

async function bundle(folder: string): Promise<string> {
  const outfile = join(folder, 'bundle', 'host.mjs')
  await build({
    entryPoints: [HOST],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
    banner: { js: 'globalThis.BUNDLED = true; import { createRequire as _cr } from "node:module"; const require = _cr(import.meta.url);' },
  })
  return outfile
}

describe('a program over this package', () => {
  it('gives plugins its own packages when it runs from sources, without a word on stderr', async () => {
    const { path } = await setup(FILES)

    const { code, out, err } = await run(HOST, path('cordis.yml'))

    expect({ code, err, out: JSON.parse(out) }).toEqual({ code: 0, err: '', out: { states: [['probe', 'active'], ['bare', 'active']], same: true, text: '2 files', asked: [] } })
  })

  it('gives plugins what is inside it when it is one bundled file', async () => {
    const { path, folder } = await setup(FILES)

    const { code, out, err } = await run(await bundle(folder), path('cordis.yml'))

    expect({ code, err, out: JSON.parse(out) }).toEqual({ code: 0, err: '', out: { states: [['probe', 'active'], ['bare', 'active']], same: true, text: 'from the bundle', asked: ['dsh-text'] } })
  })

  it('ends with one line and no stack for a file that is no YAML', async () => {
    const { path } = await setup({ 'cordis.yml': '[]\n- name: x\n' })

    expect(await run(HOST, path('cordis.yml'))).toEqual({ code: 2, out: '', err: `${path('cordis.yml')}:2:1: the value before this is complete, so that this does not fit below it\n` })
  })
})
