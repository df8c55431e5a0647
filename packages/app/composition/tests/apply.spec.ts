import type { Context } from 'cordis'
import z from 'schemastery'
import { describe, expect, it } from 'vitest'
import { setup, type Setup } from './harness.ts'

/** A built-in plugin whose instances are counted: one effect, one listener, one service. */
function counted(log: string[]) {
  return {
    counter: async () => ({
      Config: z.object({ label: z.string().default('x'), bad: z.boolean() }),
      apply(ctx: Context, config: { label: string; bad?: boolean }) {
        if (config.bad === true) throw new Error(`bad ${config.label}`)
        ctx.effect(() => {
          log.push(`+${config.label}`)
          return () => log.push(`-${config.label}`)
        })
      },
    }),
  }
}

const row = (id: string, label: string, extra = '') => `- id: ${id}\n  name: counter\n  config: { label: ${label}${extra} }\n`

const refused = (work: Promise<unknown>, { folder }: Setup) => work.then(() => 'applied', error => `${error.code} ${String(error.message).replaceAll(folder, 'ROOT')}`)

describe('Running.apply', () => {
  it('restarts the row that changed, adds and removes rows, and leaves the others alone', async () => {
    const log: string[] = []
    const files = await setup({ 'cordis.yml': row('a', 'a1') + row('b', 'b1') + row('c', 'c1') }, counted(log))
    const running = await files.boot()
    log.length = 0
    await files.write({ 'cordis.yml': row('a', 'a1') + row('b', 'b2') + row('d', 'd1') })

    const report = await running.apply(await files.plan())

    expect(report).toEqual({ changed: ['b', 'd', 'c'], problems: [] })
    expect(log.toSorted()).toEqual(['+b2', '+d1', '-b1', '-c1'])
    expect(running.status().map(({ id, state }) => [id, state])).toEqual([['a', 'active'], ['b', 'active'], ['d', 'active']])
  })

  it('changes nothing when the new config is invalid', async () => {
    const log: string[] = []
    const files = await setup({ 'cordis.yml': row('a', 'a1') + row('b', 'b1') }, counted(log))
    const running = await files.boot()
    log.length = 0
    await files.write({ 'cordis.yml': row('a', 'a2') + row('b', '[1]') })

    expect(await refused(running.apply(await files.plan()), files)).toBe('reload-refused ROOT/cordis.yml:6:13: row "b": label expected string but got 1')
    expect(log).toEqual([])
    expect(running.plan.rows[0]?.config).toEqual({ label: 'a1' })
  })

  it('brings everything back when a row fails to start with its new config', async () => {
    const log: string[] = []
    const files = await setup({ 'cordis.yml': row('a', 'a1') + row('b', 'b1') }, counted(log))
    const running = await files.boot()
    await files.write({ 'cordis.yml': row('a', 'a2') + row('b', 'b2', ', bad: true') + row('c', 'c1') })

    expect(await refused(running.apply(await files.plan()), files)).toBe('reload-refused ROOT/cordis.yml:4:3: row "b": plugin counter failed to start: bad b2')

    expect(balance(log)).toEqual({ a1: 1, b1: 1 })
    expect(running.status().map(({ id, state }) => [id, state])).toEqual([['a', 'active'], ['b', 'active']])
  })

  it('takes a row that is new and fails as a failed row, and mounts it once it is mended', async () => {
    const log: string[] = []
    const files = await setup({ 'cordis.yml': row('a', 'a1') }, counted(log))
    const running = await files.boot()
    await files.write({ 'cordis.yml': row('a', 'a1') + row('b', 'b1', ', bad: true') })

    const first = await running.apply(await files.plan())
    await files.write({ 'cordis.yml': row('a', 'a1') + row('b', 'b1') })
    const second = await running.apply(await files.plan())

    expect(first.problems.map(({ row: id, message }) => [id, message])).toEqual([['b', 'plugin counter failed to start: bad b1']])
    expect(second.problems).toEqual([])
    expect(balance(log)).toEqual({ a1: 1, b1: 1 })
  })

  it('loads a changed source anew with its relative imports, and nothing else', async () => {
    const files = await setup({
      'cordis.yml': '- id: one\n  name: ./one.ts\n- id: two\n  name: ./two.js\n',
      'one.ts': `import type { Context } from 'cordis'\nimport { V } from './v.ts'\nexport const apply = (ctx: Context) => { ctx.provide('one', V.Current) }\n`,
      'v.ts': 'export enum V { Current = 1 }\n',
      'two.js': 'export const apply = ctx => { ctx.provide("two", {}) }\n',
    })
    const running = await files.boot()
    const two = running.root.get('two')
    const old = running.host.specify('./one.ts', files.path('cordis.yml'))
    expect(running.sources().map(file => file.replace(files.folder, ''))).toEqual(['/one.ts', '/two.js', '/v.ts'])
    await files.write({ 'v.ts': 'export enum V { Current = 2 }\n' })

    const report = await running.apply(running.plan, { changedSources: [files.path('v.ts')] })

    expect(report).toEqual({ changed: ['one'], problems: [] })
    expect(running.host.specify('./one.ts', files.path('cordis.yml'))).not.toBe(old)
    expect([running.root.get('one'), running.root.get('two') === two]).toEqual([2, true])
  })

  it('keeps the old plugin when the edited source is broken or throws, and takes the mended one', async () => {
    const files = await setup({ 'cordis.yml': '- id: p\n  name: ./p.js\n', 'p.js': 'export const apply = ctx => { ctx.provide("p", 1) }\n' })
    const running = await files.boot()
    const edit = async (text: string) => {
      await files.write({ 'p.js': text })
      return refused(running.apply(running.plan, { changedSources: [files.path('p.js')] }), files)
    }

    expect(await edit('export const apply = (')).toMatch(/^reload-refused ROOT\/cordis\.yml:1:3: row "p": plugin \.\/p\.js cannot be loaded: /)
    expect(running.root.get('p')).toBe(1)
    expect(await edit('export const apply = () => { throw new Error("no") }')).toBe('reload-refused ROOT/cordis.yml:1:3: row "p": plugin ./p.js failed to start: no')
    expect(running.root.get('p')).toBe(1)
    expect(await edit('export const apply = ctx => { ctx.provide("p", 2) }')).toBe('applied')
    expect(running.root.get('p')).toBe(2)
  })

  it('tries a failed plugin again when what it lacked is there', async () => {
    const files = await setup({ 'cordis.yml': '- id: p\n  name: ./p.js\n', 'p.js': 'import value from "dep"\nexport const apply = ctx => { ctx.provide("p", value) }\n' })
    const running = await files.boot()
    expect(running.status()[0]?.problem?.code).toBe('plugin-import')
    await files.write({ 'node_modules/dep/package.json': '{"name":"dep","type":"module","exports":"./index.js"}', 'node_modules/dep/index.js': 'export default 5\n' })

    expect(await running.apply(running.plan)).toEqual({ changed: ['p'], problems: [] })
    expect(running.root.get('p')).toBe(5)
  })

  it('tries a plugin again that threw while it was loaded, though its source is the same', async () => {
    const files = await setup({
      'cordis.yml': '- id: p\n  name: ./p.js\n',
      'p.js': 'import { existsSync } from "node:fs"\nif (!existsSync(new URL("./ready", import.meta.url))) throw new Error("not ready")\nexport const apply = ctx => { ctx.provide("p", 1) }\n',
    })
    const running = await files.boot()
    expect(running.status()[0]?.problem?.message).toBe('plugin ./p.js cannot be loaded: not ready')
    await files.write({ ready: '' })

    expect(await running.apply(running.plan)).toEqual({ changed: ['p'], problems: [] })
    expect(running.root.get('p')).toBe(1)
  })

  it('refuses to lose a required row', async () => {
    const files = await setup({ 'cordis.yml': '- id: user\n  name: user\n  required: true\n- id: llm\n  name: llm\n' }, {
      llm: async () => ({ apply: (ctx: Context) => void ctx.provide('llm', {}) }),
      user: async () => ({ inject: ['llm'], apply: () => undefined }),
    })
    const running = await files.boot()
    await files.write({ 'cordis.yml': '- id: user\n  name: user\n  required: true\n' })

    expect(await refused(running.apply(await files.plan()), files)).toBe('reload-refused ROOT/cordis.yml:1:3: row "user": waits for the service "llm", which no mounted row provides')
    expect(running.status().map(({ id, state }) => [id, state])).toEqual([['user', 'active'], ['llm', 'active']])
  })

  it('leaks nothing over fifty reloads', async () => {
    const files = await setup({ 'cordis.yml': '', 'p.js': '' })
    const source = (n: number) => `import { EventEmitter } from 'node:events'
      export const apply = ctx => {
        ctx.provide('p', ${n})
        ctx.on('probe/x', () => {})
        ctx.effect(() => { const on = () => {}; process.on('probe', on); return () => process.off('probe', on) })
      }\n`
    await files.write({ 'cordis.yml': '- id: p\n  name: ./p.js\n  config: { n: 0 }\n', 'p.js': source(0) })
    const running = await files.boot()
    const measure = () => ({
      process: process.listenerCount('probe'),
      listeners: Object.values(running.root.events._hooks as Record<string, unknown[]>).map(hooks => hooks.length),
      runtimes: running.root.registry.size,
      effects: running.root.fiber.getEffects().length,
    })
    const before = measure()

    for (let n = 1; n <= 50; n++) {
      await files.write(n % 2 === 0 ? { 'p.js': source(n) } : { 'cordis.yml': `- id: p\n  name: ./p.js\n  config: { n: ${n} }\n` })
      await running.apply(await files.plan(), { changedSources: [files.path('p.js')] })
    }

    expect(running.root.get('p')).toBe(50)
    expect(measure()).toEqual(before)
    await running.dispose()
    expect(process.listenerCount('probe')).toBe(0)
  })
})

/** Instances that are up, by label. */
function balance(log: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const line of log) counts[line.slice(1)] = (counts[line.slice(1)] ?? 0) + (line.startsWith('+') ? 1 : -1)
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0))
}
