import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Context } from 'cordis'
import * as cordis from 'cordis'
import { createRoot } from 'cordis/host'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PluginHost, type PluginHostOptions } from '../src/index.ts'

const { nativeImport } = createRequire(import.meta.url)('./native-import.mjs') as { nativeImport: (specifier: string) => Promise<unknown> }

interface Probe {
  same: boolean
  value: unknown
}

async function folder(files: Record<string, string>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'dsh-plugins-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  await change(root, files)
  return root
}

async function change(root: string, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), text)
  }
}

function hostWith(options: Partial<PluginHostOptions> = {}): PluginHost {
  const host = new PluginHost({ builtins: { 'dsh-web': async () => ({ apply: () => undefined }) }, importModule: nativeImport, roots: [import.meta.url], ...options })
  onTestFinished(() => host.dispose())
  return host
}

/** Loads the plugin and runs it: test plugins put what they found on `ctx.root.probe`. */
async function run(host: PluginHost, specifier: string): Promise<unknown> {
  const root = createRoot()
  onTestFinished(() => root.fiber.dispose())
  await root.plugin(await host.load(specifier))
  return (root as unknown as { probe: unknown }).probe
}

const SECOND_COPY = {
  'node_modules/cordis/package.json': '{"name":"cordis","version":"0.0.1","type":"module","exports":"./index.js"}',
  'node_modules/cordis/index.js': 'export class Context {}\nexport class Service { static tracker = Symbol.for("cordis.tracker") }\n',
}

const reads = (imports: string, value: string) => `${imports}\nexport const apply = ctx => { ctx.root.probe = { same: Context === ctx.root.constructor, value: ${value} } }\n`

describe('PluginHost', () => {
  it('gives a plugin the copy of the host, whatever its own node_modules hold', async () => {
    const root = await folder({ ...SECOND_COPY, 'plugin.js': reads('import { Context } from "cordis"\nimport { Context as Inner } from "@deepseek-ai/cordis"\nimport z from "schemastery"', 'Inner === Context && typeof z.object') })
    const host = hostWith()

    const probe = (await run(host, host.specify('./plugin.js', join(root, 'cordis.yml')))) as Probe

    expect(probe).toEqual({ same: true, value: 'function' })
  })

  it('finds a package from the file that names it, with its dependencies', async () => {
    const root = await folder({
      ...SECOND_COPY,
      'node_modules/my-plugin/package.json': '{"name":"my-plugin","version":"1.0.0","type":"module","exports":{"import":"./main.js"}}',
      'node_modules/my-plugin/main.js': reads('import { Context } from "cordis"\nimport { helper } from "helper"', 'helper(Context)'),
      'node_modules/helper/package.json': '{"name":"helper","version":"1.0.0","main":"main.cjs"}',
      'node_modules/helper/main.cjs': 'const { Context } = require("cordis")\nexports.helper = other => other === Context\n',
    })
    const host = hostWith()

    expect(await run(host, host.specify('my-plugin', join(root, 'cordis.yml')))).toEqual({ same: true, value: true })
  })

  it('runs TypeScript by stripping and by transpiling, also in relative imports', async () => {
    const root = await folder({
      'plain.ts': `import type { Context } from 'cordis'\nexport function apply(ctx: Context): void { (ctx.root as any).probe = 'plain' }\n`,
      'enums.ts': `import { Level } from './level.ts'\nexport default class Plugin { constructor(private readonly ctx: any) { this.ctx.root.probe = Level.High } }\n`,
      'level.ts': 'export enum Level { Low, High }\n',
      'decorated.ts': `function tag(value: unknown, _: unknown) { (value as any).tag = 'tagged' }\n@tag\nexport default class Plugin { constructor(ctx: any) { ctx.root.probe = (Plugin as any).tag } }\n`,
    })
    const host = hostWith()
    const from = join(root, 'cordis.yml')

    expect([await run(host, host.specify('./plain.ts', from)), await run(host, host.specify('./enums.ts', from)), await run(host, host.specify('./decorated.ts', from))]).toEqual(['plain', 1, 'tagged'])
    expect(host.sources(host.specify('./enums.ts', from))).toEqual([join(root, 'enums.ts'), join(root, 'level.ts')])
  })

  it('serves host packages out of a bundle, the rare ones when a plugin asks', async () => {
    const root = await folder({ 'plugin.js': reads('import { Context } from "cordis"\nimport { a } from "@deepseek-ai/dsh-rare"\nimport b from "./more.js"', 'a + b'), 'more.js': 'import { a } from "@deepseek-ai/dsh-other"\nexport default a\n' })
    const loads: string[] = []
    const host = hostWith({
      hostModules: {
        cordis: async () => cordis,
        '@deepseek-ai/dsh-rare': async () => (loads.push('rare'), { a: 1, default: 0 }),
        '@deepseek-ai/dsh-other': async () => (loads.push('other'), { a: 2 }),
        '@deepseek-ai/dsh-unused': async () => (loads.push('unused'), {}),
      },
    })

    expect(await run(host, host.specify('./plugin.js', join(root, 'cordis.yml')))).toEqual({ same: true, value: 3 })
    expect(loads.toSorted()).toEqual(['other', 'rare'])
  })

  it('serves the rare host packages to the packages of a plugin, too', async () => {
    const root = await folder({
      'plugin.js': 'import { a } from "helper"\nexport const apply = ctx => { ctx.root.probe = a }\n',
      'node_modules/helper/package.json': '{"name":"helper","type":"module","exports":"./main.js"}',
      'node_modules/helper/main.js': 'export { a } from "@deepseek-ai/dsh-only-here"\n',
    })
    const host = hostWith({ hostModules: { '@deepseek-ai/dsh-only-here': async () => ({ a: 9 }) } })

    expect(await run(host, host.specify('./plugin.js', join(root, 'cordis.yml')))).toBe(9)
  })

  it('takes a row that names a host package as the package of the host', async () => {
    const plugin = Object.assign(() => undefined, { provide: 'timer' })
    const bundled = hostWith({ hostModules: { '@cordisjs/plugin-timer': async () => ({ default: plugin }) } })
    const root = await folder({})

    const loaded = (await bundled.load(bundled.specify('@cordisjs/plugin-timer', join(root, 'cordis.yml')))) as unknown as { provide: unknown }

    expect(loaded.provide).toBe('timer')
  })

  it('loads the source anew under a renewed specifier, with its relative imports', async () => {
    const root = await folder({ 'plugin.js': 'import { v } from "./v.js"\nexport const apply = ctx => { ctx.root.probe = v }\n', 'v.js': 'export const v = 1\n' })
    const host = hostWith()
    const first = host.specify('./plugin.js', join(root, 'cordis.yml'))
    expect(await run(host, first)).toBe(1)
    await change(root, { 'v.js': 'export const v = 2\n' })

    const second = host.renew(first)

    expect([await run(host, second), await run(host, first)]).toEqual([2, 1])
    host.forget(first)
    expect(host.specify('./plugin.js', join(root, 'cordis.yml'))).toBe(second)
  })

  it('loads what was mended after a failure', async () => {
    const root = await folder({ 'plugin.js': 'export const apply = (\n' })
    const host = hostWith()
    const broken = host.specify('./plugin.js', join(root, 'cordis.yml'))
    await expect(host.load(broken)).rejects.toMatchObject({ code: 'plugin-import' })
    await change(root, { 'plugin.js': 'export const apply = ctx => { ctx.root.probe = "mended" }\n' })

    expect(await run(host, host.renew(broken))).toBe('mended')
  })

  it('looks again under the same specifier when a load failed', async () => {
    const root = await folder({})
    const host = hostWith()
    const specifier = host.specify('./late.js', join(root, 'cordis.yml'))
    await expect(host.load(specifier)).rejects.toMatchObject({ code: 'missing-plugin' })
    await change(root, { 'late.js': 'export const apply = ctx => { ctx.root.probe = "here" }\n' })

    expect(await run(host, specifier)).toBe('here')
  })

  it.each([
    ['a misspelt built-in', 'dsh-wbe', 'unknown-plugin', 'unknown plugin dsh-wbe (did you mean "dsh-web"?)'],
    ['a missing file', './nowhere.js', 'missing-plugin', 'there is no file ./nowhere.js, seen from ROOT/cordis.yml'],
    ['a missing package', 'some-package', 'missing-plugin', 'the package some-package is not installed, seen from ROOT/cordis.yml'],
    ['a missing dependency', './needs.js', 'plugin-import', `plugin ./needs.js cannot be loaded: Cannot find package 'not-there' imported from ROOT/needs.js`],
    ['a module that throws', './throws.js', 'plugin-import', 'plugin ./throws.js cannot be loaded: at import'],
    ['a module of both shapes', './both.js', 'plugin-shape', 'plugin ./both.js: the module has both a default export and a named "apply"; a plugin is one of the two'],
    ['a copy reached by path', './second.js', 'duplicate-framework', 'a second copy of the framework: ROOT/second.js imports cordis 0.0.1 (ROOT/node_modules/cordis/package.json); import "cordis" by its name to get the one of the host'],
    ['a copy bundled in', './bundled.js', 'duplicate-framework', 'a second copy of the framework: ROOT/bundled.js was bundled with its own; leave "cordis" external'],
  ])('says what is wrong with %s', async (_, name, code, message) => {
    const root = await folder({
      ...SECOND_COPY,
      'needs.js': 'import "not-there"\n',
      'throws.js': 'throw new Error("at import")\n',
      'both.js': 'export default class {}\nexport const apply = () => {}\n',
      'second.js': 'import { Service } from "./node_modules/cordis/index.js"\nexport default class extends Service {}\n',
      'bundled.js': 'class Service { static tracker = Symbol.for("cordis.tracker") }\nexport default class extends Service {}\n',
    })
    const host = hostWith()

    const failure = await host.load(host.specify(name, join(root, 'cordis.yml'))).then(() => undefined, error => error)

    expect({ code: failure?.code, message: failure?.message.replaceAll(root, 'ROOT') }).toEqual({ code, message })
  })

  it('leaves every other import alone, and all of them after disposal', async () => {
    const root = await folder({ ...SECOND_COPY, 'outside.js': 'export { Context } from "cordis"\n', 'plugin.js': 'export const apply = () => {}\n' })
    const host = hostWith()
    await host.load(host.specify('./plugin.js', join(root, 'cordis.yml')))

    const outside = (await nativeImport(join(root, 'outside.js'))) as { Context: unknown }

    expect(outside.Context).not.toBe(Context)
    host.dispose()
    await expect(nativeImport('dsh-plugin:1')).rejects.toThrow('dsh-plugin:')
  })
})
