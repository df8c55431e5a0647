import { createRoot } from 'cordis/host'
import { describe, expect, it } from 'vitest'
import { newSessionId, SessionError, SessionStore } from '@deepseek-ai/dsh-session'
import { extendScope } from '@deepseek-ai/dsh-scope'
import type { Context } from 'cordis'

const user = { kind: 'user' as const }

async function withStore(): Promise<Context> {
  const ctx = createRoot()
  await ctx.plugin(SessionStore)
  return ctx
}

function codeOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof SessionError) return error.code
    throw error
  }
  return 'no error'
}

describe('create', () => {
  it('enters and announces a session; its end with the plugin takes it away', async () => {
    const ctx = await withStore()
    const created: string[] = []
    ctx.on('session/created', session => void created.push(session.id))
    const fiber = ctx.plugin({ name: 'opener', inject: ['sessions'], apply: (inner: Context) => void inner.sessions.create('one', { meta: { cwd: '/tmp' } }) })
    await fiber

    expect(created).toEqual(['one'])
    expect(ctx.sessions.get('one')?.header).toEqual({ version: 1, id: 'one', createdAt: expect.any(Number) as number, cwd: '/tmp' })
    await fiber.dispose()
    expect(ctx.sessions.list()).toEqual([])
    await ctx.fiber.dispose()
  })

  it('refuses a second session of the same id, unsafe ids, and relative folders', async () => {
    const ctx = await withStore()
    ctx.sessions.create('one')

    expect(codeOf(() => ctx.sessions.create('one'))).toBe('DUPLICATE_SESSION')
    expect(['..', 'a/b', '', 'a\0', '.x', 'x'.repeat(129)].map(id => codeOf(() => ctx.sessions.create(id)))).toEqual(Array.from({ length: 6 }, () => 'INVALID_HEADER'))
    expect(codeOf(() => ctx.sessions.create('two', { meta: { cwd: 'relative' } }))).toBe('INVALID_HEADER')
    await ctx.fiber.dispose()
  })

  it('makes ids that sort by time', () => {
    const ids = [newSessionId(1_000), newSessionId(2_000_000_000_000), newSessionId(1_001)]

    expect(ids.toSorted()).toEqual([ids[0], ids[2], ids[1]])
  })
})

describe('session/event', () => {
  it('reaches every listener in the order of the log although one of them appends', async () => {
    const ctx = await withStore()
    const session = ctx.sessions.create()
    const heard: string[] = []
    ctx.on('session/event', (_session, event) => {
      if (event.type === 'turn/start') session.append('step/start', { turn: 1, step: 1 })
    })
    ctx.on('session/event', (_session, event) => void heard.push(`${event.seq} ${event.type}`))

    session.append('turn/start', { turn: 1, trigger: { kind: 'message', source: user } })
    session.append('step/end', { turn: 1, step: 1 })

    expect(heard).toEqual(['0 turn/start', '1 step/start', '2 step/end'])
    await ctx.fiber.dispose()
  })

  it('goes on after a listener that throws', async () => {
    const ctx = await withStore()
    const session = ctx.sessions.create()
    const heard: number[] = []
    ctx.on('session/event', () => {
      throw new Error('boom')
    })
    ctx.on('session/event', (_session, event) => void heard.push(event.seq))

    session.append('step/start', { turn: 1, step: 1 })
    session.append('step/end', { turn: 1, step: 1 })

    expect(heard).toEqual([0, 1])
    await ctx.fiber.dispose()
  })

  it('flows up the scopes but neither down nor sideways, and so does session/created', async () => {
    const ctx = await withStore()
    const heard: string[] = []
    const [parent, child, sibling] = [extendScope(ctx, 'parent'), extendScope(ctx, 'child'), extendScope(ctx, 'sibling')]
    const grandchild = extendScope(child, 'grandchild')
    for (const [name, scope] of Object.entries({ root: ctx, parent, child, sibling, grandchild })) {
      scope.on('session/event', () => void heard.push(`${name} event`))
      scope.on('session/created', () => void heard.push(`${name} created`))
    }

    child.sessions.create().append('step/start', { turn: 1, step: 1 })

    expect(heard).toEqual(['root created', 'child created', 'root event', 'child event'])
    await ctx.fiber.dispose()
  })

  it('is not sent any more once the session has been left', async () => {
    const ctx = await withStore()
    const session = ctx.sessions.prepare()
    const heard: number[] = []
    ctx.on('session/event', (_session, event) => void heard.push(event.seq))
    session.append('step/start', { turn: 1, step: 1 })
    const leave = ctx.sessions.enter(session)
    session.append('step/end', { turn: 1, step: 1 })
    leave()
    session.append('step/start', { turn: 1, step: 2 })

    expect(heard).toEqual([1])
    expect(session.seq).toBe(3)
    await ctx.fiber.dispose()
  })
})
