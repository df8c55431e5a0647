import type { Context } from 'cordis'
import { describe, expect, it } from 'vitest'
import { setup } from './harness.ts'

describe('a running composition', () => {
  it('suspends a row whose service goes and resumes it once when the service is back', async () => {
    const log: string[] = []
    const files = await setup({ 'cordis.yml': '- id: llm\n  name: llm\n- id: user\n  name: user\n' }, {
      llm: async () => ({ apply: (ctx: Context) => void ctx.provide('llm', {}) }),
      user: async () => ({
        inject: ['llm'],
        apply(ctx: Context) {
          ctx.effect(() => {
            log.push('up')
            return () => log.push('down')
          })
        },
      }),
    })
    const running = await files.boot()

    await running.apply(await files.plan({ set: [] }))
    await files.write({ 'settings.yml': 'disable: [llm]\n' })
    const without = await running.apply(await files.plan())
    await files.write({ 'settings.yml': null })
    await running.apply(await files.plan())

    expect(without.problems.map(({ row, message }) => [row, message])).toEqual([['user', 'waits for the service "llm", which no mounted row provides']])
    expect(log).toEqual(['up', 'down', 'up'])
    expect(running.status().map(status => status.state)).toEqual(['active', 'active'])
  })

  it('drops what a plugin registers while it is being unloaded', async () => {
    const files = await setup({ 'cordis.yml': '- id: late\n  name: late\n' }, {
      late: async () => ({
        apply(ctx: Context) {
          ctx.effect(() => async () => {
            await new Promise(resolve => setTimeout(resolve, 50))
            ctx.on('probe/x' as never, (() => undefined) as never)
          })
        },
      }),
    })
    const running = await files.boot()
    await files.write({ 'cordis.yml': '' })

    await running.apply(await files.plan())

    expect((running.root.events._hooks as Record<string, unknown[]>)['probe/x'] ?? []).toEqual([])
    expect(files.log).toEqual(['error cannot create effect on inactive context'])
  })

  it('names the owner of a service that a second plugin offers', async () => {
    const llm = (name: string) => async () => ({ name, apply: (ctx: Context) => void ctx.provide('llm', {}) })
    const files = await setup({ 'cordis.yml': '- id: a\n  name: a\n- id: b\n  name: b\n' }, { a: llm('first'), b: llm('second') })

    const running = await files.boot()

    expect(running.status().map(({ id, state, problem }) => [id, state, problem?.message])).toEqual([
      ['a', 'active', undefined],
      ['b', 'failed', 'plugin b failed to start: service "llm" has been registered at <first>'],
    ])
  })

  it('applies edits that come at once one after the other', async () => {
    const log: string[] = []
    const files = await setup({ 'cordis.yml': '- id: q\n  name: q\n  config: { n: 0 }\n' }, {
      q: async () => ({
        async apply(_: Context, { n }: { n: number }) {
          log.push(`start ${n}`)
          await new Promise(resolve => setTimeout(resolve, 20))
          log.push(`end ${n}`)
        },
      }),
    })
    const running = await files.boot()
    const plans = await Promise.all([1, 2, 3].map(n => files.plan({ set: [`q.n=${n}`] })))
    log.length = 0

    await Promise.all(plans.map(plan => running.apply(plan)))

    expect(log).toEqual(['start 1', 'end 1', 'start 2', 'end 2', 'start 3', 'end 3'])
  })

  it('does not wait again for a plugin that did not end starting', async () => {
    const files = await setup({ 'cordis.yml': '- id: hangs\n  name: hangs\n- id: q\n  name: q\n  config: { n: 0 }\n' }, {
      hangs: async () => ({ apply: () => new Promise<void>(() => undefined) }),
      q: async () => ({ apply: (ctx: Context, config: unknown) => void ctx.provide('q', config) }),
    })
    const running = await files.boot({ startTimeoutMs: 300 })
    const start = performance.now()

    const { changed } = await running.apply(await files.plan({ set: ['q.n=1'] }))

    expect(changed).toEqual(['q'])
    expect(performance.now() - start).toBeLessThan(250)
    expect(running.status().map(({ id, state }) => [id, state])).toEqual([['hangs', 'starting'], ['q', 'active']])
  })

  it('stops within its bound although a plugin does not', async () => {
    const files = await setup({ 'cordis.yml': '- id: stuck\n  name: stuck\n' }, { stuck: async () => ({ apply: (ctx: Context) => void ctx.effect(() => () => new Promise<void>(() => undefined)) }) })
    const running = await files.boot({ disposeTimeoutMs: 50 })
    const start = performance.now()

    await Promise.all([running.dispose(), running.dispose()])

    expect(performance.now() - start).toBeLessThan(1_000)
  })
})
