import { format } from 'node:util'
import type { Context } from 'cordis'
import { createRoot } from 'cordis/host'
import { afterEach, describe, expect, it } from 'vitest'
import { SessionStore, type Session } from '@deepseek-ai/dsh-session'
import { PersistenceError, WriteCoordinator, type CoordinatorOptions } from '../src/index.ts'
import { turn } from './events.ts'
import { MemorySource } from './memory-source.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface Setup {
  ctx: Context
  source: MemorySource
  coordinator: WriteCoordinator
  lines: string[]
  /** Unloads the coordinator. */
  unload(): Promise<void>
}

async function mount(source = new MemorySource(), { root, ...options }: CoordinatorOptions & { root?: Context } = {}): Promise<Setup> {
  const ctx = root ?? createRoot()
  const lines: string[] = []
  if (!root) {
    cleanups.push(() => ctx.fiber.dispose())
    ctx.logger.exporter({ export: ({ type, args }) => void (['warn', 'error'].includes(type) && lines.push(`${type} ${format(...(args as [unknown]))}`)) })
    await ctx.plugin(SessionStore)
  }
  const made: WriteCoordinator[] = []
  const fiber = ctx.plugin({
    name: 'store',
    inject: ['sessions'],
    apply(inner: Context) {
      made.push(new WriteCoordinator(inner, source, { writeBehindMs: 5, ...options }))
    },
  })
  await fiber
  const [coordinator] = made
  if (!coordinator) throw new Error('the coordinator did not start')
  return { ctx, source, coordinator, lines, unload: () => fiber.dispose() }
}

function say(session: Session, text: string): void {
  session.append('user/message', { content: [{ type: 'text', text }], source: { kind: 'user' } }, { surfaceOp: 'append' })
}

const flush = (ctx: Context, session: Session): Promise<unknown> => ctx.root.parallel('session/flush', session)
const pause = (ms = 40): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

describe('WriteCoordinator', () => {
  it('writes what was appended a moment later, all in one', async () => {
    const { ctx, source } = await mount()
    const session = ctx.sessions.create('one')
    for (const text of ['a', 'b', 'c']) say(session, text)
    expect(source.asked).toEqual([])
    await pause()
    expect([source.asked, source.stored.get('one')?.events]).toEqual([['create one', 'append one 0-2'], session.events])
  })

  it('writes what a session begins with, although nothing is said in it yet', async () => {
    const { ctx, source } = await mount()
    const first = ctx.sessions.create('one')
    say(first, 'a')
    const copy = ctx.sessions.create('two', { seed: first.events })
    await pause()
    expect([source.asked.includes('create two'), source.stored.get('two')?.events]).toEqual([true, copy.events])
  })

  it('leaves nothing of a session without events', async () => {
    const { ctx, source, unload } = await mount()
    await flush(ctx, ctx.sessions.create('one'))
    await unload()
    expect(source.asked).toEqual([])
  })

  it('has everything written and synced when a checkpoint resolves, and writes nothing twice', async () => {
    const { ctx, source } = await mount(undefined, { writeBehindMs: 10_000 })
    const session = ctx.sessions.create('one')
    say(session, 'a')
    await flush(ctx, session)
    await flush(ctx, session)
    expect(source.asked).toEqual(['create one', 'append one 0-0', 'sync one', 'sync one'])
  })

  it('takes what is appended while it writes along with the next write, in order', async () => {
    const { ctx, source } = await mount()
    const gate = Promise.withResolvers<void>()
    source.gate = gate.promise
    const session = ctx.sessions.create('one')
    say(session, 'a')
    const flushed = flush(ctx, session)
    await pause(20)
    say(session, 'b')
    say(session, 'c')
    const again = flush(ctx, session)
    gate.resolve()
    await Promise.all([flushed, again])
    expect([source.seqs('one'), source.asked.filter(line => line.startsWith('append'))]).toEqual([[0, 1, 2], ['append one 0-0', 'append one 1-2']])
  })

  it('hands over what comes while a checkpoint waits for the disk, and closes only after that', async () => {
    const { ctx, source, unload } = await mount()
    const disk = Promise.withResolvers<void>()
    source.disk = disk.promise
    const session = ctx.sessions.create('one')
    say(session, 'a')
    const done: string[] = []
    const first = flush(ctx, session).then(() => done.push('first'))
    await pause(20)
    say(session, 'b')
    const second = flush(ctx, session).then(() => done.push('second'))
    const unloaded = unload()
    await pause()
    expect([source.seqs('one'), source.asked.at(-1), done]).toEqual([[0, 1], 'append one 1-1', []])
    disk.resolve()
    await Promise.all([first, second, unloaded])
    expect([done, source.asked.slice(-3)]).toEqual([['first', 'second'], ['sync one', 'sync one', 'close one']])
  })

  it('writes a burst in pieces', async () => {
    const { ctx, source } = await mount()
    const session = ctx.sessions.create('one')
    for (let i = 0; i < 5000; i++) session.append('step/start', { turn: 1, step: i })
    await flush(ctx, session)
    expect(source.asked).toEqual(['create one', 'append one 0-4095', 'append one 4096-4999', 'sync one'])
  })

  it('rejects the checkpoint while the store fails, says so once, and goes on without loss when it does not', async () => {
    const { ctx, source, lines } = await mount()
    const session = ctx.sessions.create('one')
    say(session, 'a')
    await flush(ctx, session)
    source.fault = new PersistenceError('STORE_FULL', 'there is no space left')
    for (const text of ['b', 'c', 'd']) {
      say(session, text)
      await pause(15)
    }
    await expect(flush(ctx, session)).rejects.toMatchObject({ errors: [{ code: 'STORE_FULL' }] })
    expect([source.seqs('one'), lines]).toEqual([[0], ['error the session one cannot be stored for now: there is no space left']])
    source.fault = undefined
    say(session, 'e')
    await flush(ctx, session)
    expect(source.stored.get('one')?.events).toEqual(session.events)
  })

  it('says it again when the store fails anew', async () => {
    const { ctx, source, lines } = await mount()
    const session = ctx.sessions.create('one')
    say(session, 'a')
    await flush(ctx, session)
    for (const text of ['first', 'second']) {
      source.fault = new PersistenceError('STORE_FULL', text)
      say(session, text)
      await pause(15)
      source.fault = undefined
      await flush(ctx, session)
    }
    expect(lines.map(line => line.split(': ').at(-1))).toEqual(['first', 'second'])
  })

  it.each([false, true])('keeps nobody from working where nothing can be stored at all, and says so once (failing to begin: %s)', async failsToOpen => {
    const { ctx, source, lines } = await mount()
    source.fault = new PersistenceError('STORE_FAILED', 'cannot write', { cause: Object.assign(new Error('read-only'), { code: 'EROFS' }) })
    source.failsToOpen = failsToOpen
    const session = ctx.sessions.create('one')
    say(session, 'a')
    await flush(ctx, session)
    say(session, 'b')
    await flush(ctx, session)
    expect([source.seqs('one'), lines]).toEqual([[], ['warn this session is not stored: cannot write: read-only (EROFS); set DSH_HOME to a folder that can be written, or use --no-session']])
  })

  it('goes on with an adopted writer, and gives back one that no session came for', async () => {
    const { ctx, source, coordinator, unload } = await mount()
    source.stored.set('one', { header: { version: 1, id: 'one', createdAt: 1 }, events: turn(0) })
    for (const id of ['one', 'two']) coordinator.adopt((await source.open('one')).writer.id === id ? (await source.open(id)).writer : await source.create({ header: { version: 1, id, createdAt: 1 } }))
    source.asked.length = 0
    const session = ctx.sessions.create('one', { seed: turn(0) })
    say(session, 'more')
    await flush(ctx, session)
    expect([coordinator.disown('one'), coordinator.disown('two')?.id, source.asked, source.seqs('one')]).toEqual([undefined, 'two', ['append one 3-3', 'sync one'], [0, 1, 2, 3]])
    await unload()
    expect(source.asked.slice(2)).toEqual(['sync one', 'close one'])
  })

  it('closes adopted writers when it is unloaded', async () => {
    const { source, coordinator, unload } = await mount()
    coordinator.adopt(await source.create({ header: { version: 1, id: 'one', createdAt: 1 } }))
    await unload()
    expect(source.asked).toEqual(['create one', 'close one'])
  })

  it('writes the whole seed of a forked session with the first append', async () => {
    const { ctx, source } = await mount()
    const session = ctx.sessions.create('fork', { seed: turn(0) })
    say(session, 'on')
    await flush(ctx, session)
    expect([source.asked[1], source.stored.get('fork')?.events]).toEqual(['append fork 0-3', session.events])
  })

  it('stores nothing of a session that is to be skipped, and everything of the next of its id', async () => {
    const { ctx, source, coordinator } = await mount()
    coordinator.skip('one')
    const session = ctx.sessions.prepare('one')
    const leave = ctx.sessions.enter(session)
    ctx.sessions.announce(session)
    say(session, 'secret')
    await flush(ctx, session)
    leave()
    expect(source.asked).toEqual([])
    const next = ctx.sessions.create('one')
    say(next, 'open')
    await flush(ctx, next)
    expect(source.seqs('one')).toEqual([0])
  })

  it('is settled with a closed session when all of it is written, synced and given back', async () => {
    const { ctx, source, coordinator } = await mount(undefined, { writeBehindMs: 10_000 })
    const session = ctx.sessions.prepare('one')
    const leave = ctx.sessions.enter(session)
    ctx.sessions.announce(session)
    say(session, 'last words')
    leave()
    expect(source.asked).toEqual([])
    await coordinator.settled('one')
    expect(source.asked).toEqual(['create one', 'append one 0-0', 'sync one', 'close one'])
    await coordinator.settled('never seen')
  })

  it('writes and closes everything when it is unloaded, and nothing afterwards', async () => {
    const { ctx, source, unload } = await mount(undefined, { writeBehindMs: 10_000 })
    const [one, two] = [ctx.sessions.create('one'), ctx.sessions.create('two')]
    say(one, 'a')
    say(two, 'b')
    await unload()
    expect([source.seqs('one'), source.seqs('two'), source.asked.filter(line => line.startsWith('close')).sort()]).toEqual([[0], [0], ['close one', 'close two']])
    say(one, 'nobody listens')
    await flush(ctx, one)
    expect(source.seqs('one')).toEqual([0])
  })

  it('goes on with live sessions when it is loaded anew, with what was appended in between', async () => {
    const { ctx, source, unload } = await mount()
    const stored = ctx.sessions.create('stored')
    const fresh = ctx.sessions.create('fresh')
    say(stored, 'a')
    await unload()
    say(stored, 'in between')
    say(fresh, 'first')
    const again = await mount(source, { root: ctx })
    await pause()
    say(stored, 'after')
    await flush(ctx, stored)
    expect([source.stored.get('stored')?.events, source.stored.get('fresh')?.events]).toEqual([stored.events, fresh.events])
    await again.unload()
  })

  it('writes nothing into another session that is stored under the id of a live one', async () => {
    const { ctx, source, unload } = await mount()
    const session = ctx.sessions.create('one')
    await unload()
    const foreign = turn(0)
    source.stored.set('one', { header: session.header, events: foreign })
    for (const text of ['a', 'b', 'c', 'd']) say(session, text)
    const again = await mount(source, { root: ctx })
    await expect(flush(ctx, session)).rejects.toMatchObject({ errors: [{ code: 'SESSION_CHANGED' }] })
    expect([source.stored.get('one')?.events, source.asked.at(-1)]).toEqual([foreign, 'close one'])
    await again.unload()
  })
})
