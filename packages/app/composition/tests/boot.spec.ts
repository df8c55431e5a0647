import type { Context } from 'cordis'
import z from 'schemastery'
import { describe, expect, it } from 'vitest'
import { setup } from './harness.ts'

const provider = (service: string, inject: string[] = []) => async () => ({ default: Object.assign((ctx: Context) => void ctx.provide(service, { service }), { provide: service, inject }) })

const BUILTINS = {
  llm: provider('llm'),
  loop: provider('loop', ['llm']),
  b: provider('bb', ['cc']),
  c: provider('cc', ['bb']),
  alone: provider('alone', ['nothing']),
  web: async () => ({
    Config: z.object({ timeoutMs: z.number().min(1), proxy: z.object({ host: z.string(), port: z.number() }), apiKey: z.string(), secure: z.boolean() }),
    apply(ctx: Context, config: unknown) {
      ctx.provide('web', config)
    },
  }),
  throws: async () => ({
    apply() {
      throw new Error('boom')
    },
  }),
  hangs: async () => ({ apply: () => new Promise<void>(() => undefined) }),
}

const required = (...names: string[]) => names.map(name => `- id: ${name}\n  name: ${name}\n  required: true\n`).join('')

describe('boot', () => {
  it('starts built-in and third-party rows and reports each as active', async () => {
    const { boot } = await setup({
      'cordis.yml': `${required('loop', 'llm')}- id: mine\n  name: ./mine.ts\n  config: { level: 2 }\n`,
      'mine.ts': `import { Service, type Context } from 'cordis'\nexport default class Mine extends Service {\n  static readonly provide = 'mine'\n  static readonly inject = ['loop']\n  constructor(ctx: Context, readonly config: { level: number }) { super(ctx, 'mine') }\n}\n`,
    }, BUILTINS)

    const running = await boot()

    expect(running.status().map(({ id, state, provides, inject }) => ({ id, state, provides, inject }))).toEqual([
      { id: 'loop', state: 'active', provides: ['loop'], inject: ['llm'] },
      { id: 'llm', state: 'active', provides: ['llm'], inject: [] },
      { id: 'mine', state: 'active', provides: ['mine'], inject: ['loop'] },
    ])
    expect((running.root.get('mine') as { config: unknown }).config).toEqual({ level: 2 })
  })

  it('imports only the built-in plugins that rows name', async () => {
    const imported: string[] = []
    const table = Object.fromEntries(Object.entries(BUILTINS).map(([name, load]) => [name, () => (imported.push(name), load())]))
    const { boot } = await setup({ 'cordis.yml': `${required('llm')}- id: off\n  name: web\n  disabled: true\n` }, table)

    const running = await boot()

    expect(imported).toEqual(['llm'])
    expect(running.status().map(({ id, state }) => [id, state])).toEqual([['llm', 'active'], ['off', 'disabled']])
    expect(running.isWell()).toBe(true)
  })

  it.each([
    ['a typo in the name of a row', required('lmm'), ['unknown-plugin'], 'ROOT/cordis.yml:1:3: row "lmm": unknown plugin lmm (did you mean "llm"?)'],
    ['an unknown config key', '- id: web\n  name: web\n  config:\n    proxy: { hots: x }\n', ['unknown-key'], 'ROOT/cordis.yml:4:14: row "web": unknown key "proxy.hots" (did you mean "host"?)'],
    ['an unmet inject', required('alone'), ['unmet-inject'], 'ROOT/cordis.yml:1:3: row "alone": waits for the service "nothing", which no mounted row provides (some-package would)'],
    ['an inject cycle', required('b', 'c'), ['inject-cycle'], 'ROOT/cordis.yml:1:3: row "b": the rows wait for one another: b → c → b ("b" needs "cc" of "c", "c" needs "bb" of "b")'],
    ['a missing plugin', '- id: x\n  name: ./x.js\n  required: true\n- id: y\n  name: some-plugin\n  required: true\n', ['missing-plugin', 'missing-plugin'], 'ROOT/cordis.yml:1:3: row "x": there is no file ./x.js, seen from ROOT/cordis.yml\nROOT/cordis.yml:4:3: row "y": the package some-plugin is not installed, seen from ROOT/cordis.yml'],
    ['a throwing plugin', required('llm', 'throws'), ['plugin-threw'], 'ROOT/cordis.yml:4:3: row "throws": plugin throws failed to start: boom'],
    ['a second copy of cordis', '- id: second\n  name: ./second.js\n  required: true\n', ['duplicate-framework'], 'ROOT/cordis.yml:1:3: row "second": a second copy of the framework: ROOT/second.js imports cordis 0.0.1 (ROOT/node_modules/cordis/package.json); import "cordis" by its name to get the one of the host'],
    ['a value of the wrong type', '- id: web\n  name: web\n  config:\n    timeoutMs: soon\n', ['bad-value'], 'ROOT/cordis.yml:4:5: row "web": timeoutMs expected number but got soon'],
    ['a secret of the wrong type', '- id: web\n  name: web\n  config:\n    apiKey: 12345\n', ['bad-value'], 'ROOT/cordis.yml:4:5: row "web": apiKey has a value of the wrong kind'],
    ['a required row that is switched off', '- id: llm\n  name: llm\n  required: true\n  disabled: true\n', ['required-disabled'], 'ROOT/cordis.yml:1:3: row "llm": the row is required and is switched off'],
    ['a plugin that never ends starting', required('hangs'), ['start-timeout'], 'ROOT/cordis.yml:1:3: row "hangs": plugin hangs did not finish starting within 50 ms'],
    ['a provider that failed', `${required('loop')}- id: llm\n  name: throws\n`, ['unmet-inject', 'plugin-threw'], 'ROOT/cordis.yml:1:3: row "loop": waits for the service "llm", which no mounted row provides\nROOT/cordis.yml:4:3: row "llm": plugin throws failed to start: boom'],
  ])('names %s', async (_, composition, codes, message) => {
    const { complaint } = await setup({
      'cordis.yml': composition,
      'second.js': 'import { Service } from "./node_modules/cordis/index.js"\nexport default class extends Service {}\n',
      'node_modules/cordis/package.json': '{"name":"cordis","version":"0.0.1","type":"module","exports":"./index.js"}',
      'node_modules/cordis/index.js': 'export class Service {}\n',
    }, BUILTINS)

    expect(await complaint({ providers: { nothing: ['some-package'] }, startTimeoutMs: 50 })).toEqual({ codes, message })
  })

  it('bears optional rows that fail, wait or hang, and lists them', async () => {
    const { boot, folder } = await setup({
      'cordis.yml': `${required('llm')}${required('throws', 'alone', 'hangs', 'b', 'c').replaceAll('  required: true\n', '')}- id: gone\n  name: ./gone.js\n- id: old\n  name: ./old.js\n  config: { renamed: 1 }\n`,
      'old.js': 'import z from "schemastery"\nexport const Config = z.object({ rename: z.number() })\nexport const apply = () => {}\n',
    }, BUILTINS)

    const running = await boot({ startTimeoutMs: 300 })

    expect(running.isWell()).toBe(false)
    expect(running.status().map(({ id, state, problem }) => [id, state, problem?.message.replaceAll(folder, 'ROOT')])).toEqual([
      ['llm', 'active', undefined],
      ['throws', 'failed', 'plugin throws failed to start: boom'],
      ['alone', 'waiting', 'waits for the service "nothing", which no mounted row provides'],
      ['hangs', 'failed', 'plugin hangs did not finish starting within 300 ms'],
      ['b', 'waiting', 'the rows wait for one another: b → c → b ("b" needs "cc" of "c", "c" needs "bb" of "b")'],
      ['c', 'waiting', 'the rows wait for one another: c → b → c ("c" needs "bb" of "b", "b" needs "cc" of "c")'],
      ['gone', 'failed', 'there is no file ./gone.js, seen from ROOT/cordis.yml'],
      ['old', 'failed', 'unknown key "renamed" (did you mean "rename"?)'],
    ])
  })

  it('tells of a part that fails inside an active row', async () => {
    const { boot } = await setup({ 'cordis.yml': '- id: outer\n  name: outer\n' }, {
      outer: async () => ({
        apply(ctx: Context) {
          ctx.inject(['never'], () => undefined)
          ctx.plugin({ name: 'inner', apply: () => Promise.reject(new Error('no luck')) })
        },
      }),
    })

    const running = await boot()
    expect(running.isWell()).toBe(false)
    expect(running.status().map(({ id, state, problem }) => [id, state, problem?.code, problem?.message])).toEqual([['outer', 'active', 'part-failed', 'part inner of plugin outer failed: no luck']])
  })

  it('fails when a part of a required row fails', async () => {
    const { complaint } = await setup({ 'cordis.yml': '- id: spine\n  name: spine\n  required: true\n' }, {
      spine: async () => ({
        apply(ctx: Context) {
          ctx.plugin({ name: 'sessions', apply: () => Promise.reject(new Error('no disk')) })
        },
      }),
    })

    expect(await complaint()).toEqual({ codes: ['part-failed'], message: 'ROOT/cordis.yml:1:3: row "spine": part sessions of plugin spine failed: no disk' })
  })

  it('waits a little for a service that a required row needs and that comes late', async () => {
    const { boot } = await setup({ 'cordis.yml': required('late', 'alone') }, {
      ...BUILTINS,
      late: async () => ({
        apply(ctx: Context) {
          setTimeout(() => ctx.provide('nothing', {}), 60)
        },
      }),
    })

    expect((await boot({ graceMs: 2_000 })).status().map(status => status.state)).toEqual(['active', 'active'])
  })

  it('turns the text of variables into what the schema wants, and refuses the rest without telling it', async () => {
    const composition = '- id: web\n  name: web\n  config: { timeoutMs: !env MS, secure: !env SECURE, apiKey: !env API_KEY }\n'
    const { boot, complaint } = await setup({ 'cordis.yml': composition }, BUILTINS)

    const running = await boot({}, { env: { MS: '25', SECURE: 'true', API_KEY: '007' } })

    expect(running.root.get('web')).toEqual({ timeoutMs: 25, secure: true, apiKey: '007', proxy: {} })
    expect((await complaint({}, { env: { MS: 'sk-secret', SECURE: 'x', API_KEY: 'k' } })).message).toBe([
      'ROOT/cordis.yml:3:13: row "web": timeoutMs must be a number, and the environment variable MS holds none',
      'ROOT/cordis.yml:3:33: row "web": secure must be a boolean, and the environment variable SECURE holds none',
    ].join('\n'))
  })

  it('evaluates !!js of the composition when the row starts', async () => {
    const { boot } = await setup({ 'cordis.yml': '- id: web\n  name: web\n  config: { timeoutMs: !!js 20 + 22, proxy: !!js "({ port: 7 })" }\n' }, BUILTINS)

    expect((await boot()).root.get('web')).toEqual({ timeoutMs: 42, proxy: { port: 7 } })
  })

  it('leaves nothing behind when the boot fails', async () => {
    const seen: string[] = []
    const { complaint } = await setup({ 'cordis.yml': required('up', 'throws') }, {
      ...BUILTINS,
      up: async () => ({
        apply(ctx: Context) {
          ctx.effect(() => {
            seen.push('up')
            return () => seen.push('down')
          })
        },
      }),
    })

    await complaint()

    expect(seen).toEqual(['up', 'down'])
  })
})
