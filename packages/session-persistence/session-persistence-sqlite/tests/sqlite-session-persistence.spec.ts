import { readdirSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { deltas, edit, header, kit, signal, store, turn } from './kit.ts'

const { open } = kit()

describe('SqliteSessionPersistence', () => {
  it('stores privately what it is given, and gives it back, also after it was closed', async () => {
    const { persistence, root, close } = await open()
    const writer = await persistence.create(header('one'), signal)
    await writer.append(turn(0))
    await writer.append(turn(3))
    await writer.sync()
    await writer.close()
    await close()

    const again = await open(root)
    const stored = await again.persistence.load('one', signal)
    expect([stored.header, stored.events, stored.damage]).toEqual([header('one'), [...turn(0), ...turn(3)], []])
    expect(await again.persistence.list({}, signal)).toMatchObject([{ id: 'one', title: 'hello world 0', events: 6, turns: 2 }])
    expect([(statSync(join(root, 'sessions.sqlite')).mode & 0o777).toString(8), readdirSync(root).filter(name => !name.startsWith('sessions.sqlite'))]).toEqual(['600', []])
  })

  it('packs streamed chunks into one row, and reads them as the events they were', async () => {
    const { persistence, root } = await open()
    const chunks: SessionEvent[] = Array.from({ length: 500 }, (_, seq) => ({ type: 'assistant/chunk', seq, time: 1000 + (seq % 7), data: { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text: `w${seq} ` } } }))
    const writer = await persistence.create(header('one'), signal)
    await writer.append(chunks)
    await writer.close()
    expect((await persistence.load('one', signal)).events).toEqual(chunks)
    const database = new DatabaseSync(join(root, 'sessions.sqlite'), { readOnly: true })
    expect(database.prepare('SELECT count(*) AS rows, sum(n) AS events FROM events').get()).toEqual({ rows: 1, events: 500 })
    database.close()
  })

  it('keeps a row that cannot be read, and what follows it, in a table of their own', async () => {
    const { persistence, root } = await open()
    const writer = await persistence.create(header('one'), signal)
    await writer.append([...turn(0), ...turn(3)])
    await writer.close()
    const database = new DatabaseSync(join(root, 'sessions.sqlite'))
    database.exec("UPDATE events SET data = '{broken' WHERE seq = 4")

    const { stored, writer: next } = await persistence.open('one', signal)

    expect([stored.events.length, next.next, stored.damage]).toEqual([4, 4, [{ kind: 'hole', message: 'row 4 cannot be read; the 1 records after it cannot be used', seq: 4, keptAside: `${persistence.path}, table damaged` }]])
    await next.append(turn(3).slice(1))
    await next.close()
    expect((await persistence.load('one', signal)).events).toEqual([...turn(0), ...turn(3)])
    expect(database.prepare('SELECT seq FROM damaged ORDER BY seq').all()).toEqual([{ seq: 4 }, { seq: 5 }])
    database.close()
  })

  it('lets one writer in at a time, and writes nothing over what somebody else wrote', async () => {
    const { persistence, root } = await open()
    const other = await open(root)
    const writer = await persistence.create(header('one'), signal)
    await writer.append(turn(0))
    await expect(persistence.open('one', signal)).rejects.toMatchObject({ code: 'SESSION_IN_USE' })
    await expect(other.persistence.open('one', signal)).rejects.toMatchObject({ code: 'SESSION_IN_USE', holder: { pid: process.pid } })
    const database = new DatabaseSync(join(root, 'sessions.sqlite'))
    database.exec('UPDATE sessions SET next = 9')
    await expect(writer.append(turn(3))).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
    database.close()
    await writer.close()
  })

  it('lets a run of streamed chunks grow in its row, so that a slow stream takes up little', async () => {
    const { persistence, root, close } = await open()
    const words = Array.from({ length: 6000 }, (_, i) => ['return ', 'const ', 'value', ' = ', '\n  '][i % 5] ?? '')
    const chunks = deltas(0, words)
    const writer = await persistence.create(header('one'), signal)
    for (let i = 0; i < chunks.length; i += 3) await writer.append(chunks.slice(i, i + 3))
    const { events } = await persistence.load('one', signal)
    expect(events).toEqual(chunks)
    const [summary] = await persistence.list({}, signal)
    expect(summary?.bytes).toBe(edit(root, database => Number(database.prepare('SELECT sum(length(CAST(data AS BLOB))) AS bytes FROM events').get()?.bytes)))
    await writer.close()
    await close()
    // An empty database has about 60 KB.
    expect(statSync(join(root, 'sessions.sqlite')).size - 60_000).toBeLessThan(3 * words.join('').length)
  })

  it('keeps chunks of another kind apart from those that grow', async () => {
    const { persistence } = await open()
    const chunk = (seq: number, each: object): SessionEvent => ({ type: 'assistant/chunk', seq, time: 1, data: { turn: 1, step: 1, chunk: each } }) as unknown as SessionEvent
    const all = [
      chunk(0, { type: 'text-delta', index: 0, text: 'a' }),
      chunk(1, { type: 'reasoning-delta', index: 0, text: 'b' }),
      chunk(2, { type: 'reasoning-delta', index: 0, text: 'c' }),
      chunk(3, { type: 'block-end', index: 0, block: { type: 'reasoning', text: 'bc' } }),
      chunk(4, { type: 'tool-call-delta', index: 1, id: 'x', name: 'bash', argumentsDelta: '{' }),
      chunk(5, { type: 'tool-call-delta', index: 1, id: 'x', argumentsDelta: '}' }),
      ...turn(6),
    ]
    await store(persistence, 'one', ...all.map(event => [event]))
    expect((await persistence.load('one', signal)).events).toEqual(all)
  })

  it('follows a row that grows, event by event, and begins where it is told to', async () => {
    const { persistence, root } = await open()
    const reader = await open(root, { pollMs: 10 })
    const chunks = deltas(0, Array.from({ length: 60 }, (_, i) => `w${i} `))
    const writer = await persistence.create(header('one'), signal)
    await writer.append(chunks.slice(0, 10))
    const stop = new AbortController()
    const seen: SessionEvent[] = []
    const following = (async () => {
      for await (const event of reader.persistence.follow('one', { from: 7 }, stop.signal)) {
        seen.push(event)
        if (event.seq === 62) stop.abort()
      }
    })()
    for (let i = 10; i < 60; i += 5) {
      await writer.append(chunks.slice(i, i + 5))
      await new Promise(resolve => setTimeout(resolve, 8))
    }
    await writer.append(turn(60))
    await following
    await writer.close()
    expect(seen).toEqual([...chunks.slice(7), ...turn(60)])
  })

  it('tells a follower when the session is deleted', async () => {
    const { persistence } = await open(undefined, { pollMs: 10 })
    await store(persistence, 'one', turn(0))
    const seen: number[] = []
    const following = (async () => {
      for await (const { seq } of persistence.follow('one', { from: 0 }, AbortSignal.timeout(5000))) seen.push(seq)
    })().catch((error: unknown) => error)
    await new Promise(resolve => setTimeout(resolve, 30))
    await persistence.delete('one', signal)
    expect([await following, seen]).toEqual([expect.objectContaining({ code: 'SESSION_NOT_FOUND' }), [0, 1, 2]])
  })

  it('keeps times of any kind of number', async () => {
    const { persistence } = await open()
    const odd = [1764554400000.125, -1.5, 1e17, 0.1 + 0.2].map((time, seq): SessionEvent => ({ type: 'step/start', seq, time, data: { turn: 1, step: 1 } }))
    await store(persistence, 'one', odd)
    expect((await persistence.load('one', signal)).events).toEqual(odd)
    expect((await persistence.list({}, signal))[0]?.lastActivity).toBe(1e17)
  })
})
