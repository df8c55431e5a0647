import { writeFileSync } from 'node:fs'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createRoot } from 'cordis/host'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PluginHost } from '../src/index.ts'

const { nativeImport } = createRequire(import.meta.url)('./native-import.mjs') as { nativeImport: (specifier: string) => Promise<unknown> }

async function folder(files: Record<string, string>): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'dsh-approve-')))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text)
  return root
}

function hostThat(approve: (file: string, bytes: Uint8Array, from: string) => void): PluginHost {
  const host = new PluginHost({ builtins: {}, importModule: nativeImport, roots: [import.meta.url], approve: from => (file, bytes) => approve(file, bytes, from) })
  onTestFinished(() => host.dispose())
  return host
}

/** What the plugin leaves behind. */
async function run(host: PluginHost, root: string, name: string): Promise<unknown> {
  const context = createRoot()
  onTestFinished(() => context.fiber.dispose())
  await context.plugin(await host.load(host.specify(name, join(root, 'settings.yml'))))
  return (context as unknown as { probe: unknown }).probe
}

const FILES = {
  'esm.js': "import { b } from './b.cjs'\nimport data from './data.json' with { type: 'json' }\nexport const apply = ctx => { ctx.root.probe = ['esm', b, data.c] }\n",
  'b.cjs': "exports.b = require('./c.cjs')\n",
  'c.cjs': "module.exports = 'c'\n",
  'data.json': '{ "c": 1 }',
  'types.ts': "import { level } from './level.ts'\nexport function apply(ctx: any): void { ctx.root.probe = level }\n",
  'plain.ts': 'export const apply = (ctx: any): void => void (ctx.root.probe = 7)\n',
  'level.ts': 'enum Level { High = 7 }\nexport const level: number = Level.High\n',
}

describe('a judge of what plugins load', () => {
  it.each([
    ['./esm.js', ['esm', 'c', 1], ['b.cjs', 'c.cjs', 'data.json', 'esm.js']],
    ['./types.ts', 7, ['level.ts', 'types.ts']],
  ])('sees every file of %s, and who named it', async (name, probe, files) => {
    const root = await folder(FILES)
    const seen = new Map<string, string>()
    const host = hostThat((file, bytes, from) => void seen.set(basename(file), `${Buffer.from(bytes).toString()}|${from}`))

    expect(await run(host, root, name)).toEqual(probe)
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(files.map(file => [file, `${FILES[file as keyof typeof FILES]}|${join(root, 'settings.yml')}`])))
  })

  it.each(['./esm.js', './types.ts'])('keeps %s from running when it refuses any file of it', async name => {
    const root = await folder(FILES)
    const host = hostThat(file => {
      if (/c\.cjs|level\.ts/.test(file)) throw new Error(`${basename(file)} is not trusted`)
    })

    await expect(run(host, root, name)).rejects.toThrow('is not trusted')
  })

  it('runs the bytes that were judged, whatever is written meanwhile', async () => {
    const root = await folder(FILES)
    const host = hostThat(file => {
      if (file.endsWith('.js') || file.endsWith('.ts')) writeFileSync(file, 'export const apply = () => { throw new Error("the other content runs") }')
    })

    expect(await run(host, root, './esm.js')).toEqual(['esm', 'c', 1])
    expect(await run(host, root, './plain.ts')).toBe(7)
  })
})
