import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRoot } from 'cordis/host'
import { afterEach, describe, expect, it } from 'vitest'
import { SessionStore, type SessionEvent } from '@deepseek-ai/dsh-session'
import { PersistenceError } from '@deepseek-ai/dsh-session-persistence'
import { SqliteSessionPersistence } from '../src/index.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const signal = new AbortController().signal

async function open(root?: string): Promise<{ persistence: SqliteSessionPersistence; root: string; close(): Promise<void> }> {
  const folder = root ?? mkdtempSync(join(tmpdir(), 'dsh-sqlite-'))
  if (root === undefined) cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  const ctx = createRoot()
  cleanups.push(() => ctx.fiber.dispose())
  await ctx.plugin(SessionStore)
  await ctx.plugin(SqliteSessionPersistence, { root: folder, writeBehindMs: 5 })
  return { persistence: ctx.sessionPersistence as SqliteSessionPersistence, root: folder, close: () => ctx.fiber.dispose() }
}

function turn(from: number): SessionEvent[] {
  return [
    { type: 'turn/start', seq: from, time: 1000 + from, data: { turn: 1 + from / 3, trigger: { kind: 'message', source: { kind: 'user' } } } },
    { type: 'user/message', seq: from + 1, time: 1001 + from, data: { content: [{ type: 'text', text: `hello world ${from}` }], source: { kind: 'user' } }, surfaceOp: 'append' },
    { type: 'turn/end', seq: from + 2, time: 1002 + from, data: { turn: 1 + from / 3, reason: { kind: 'completed' } } },
  ]
}

const header = { version: 1, id: 'one', createdAt: 1000, cwd: '/' }

describe('SqliteSessionPersistence', () => {
  it('stores privately what it is given, and gives it back, also after it was closed', async () => {
    const { persistence, root, close } = await open()
    const writer = await persistence.create(header, signal)
    await writer.append(turn(0))
    await writer.append(turn(3))
    await writer.sync()
    await writer.close()
    await close()

    const again = await open(root)
    const stored = await again.persistence.load('one', signal)
    expect([stored.header, stored.events, stored.damage]).toEqual([header, [...turn(0), ...turn(3)], []])
    expect(await again.persistence.list({}, signal)).toMatchObject([{ id: 'one', title: 'hello world 0', events: 6, turns: 2 }])
    expect([(statSync(join(root, 'sessions.sqlite')).mode & 0o777).toString(8), readdirSync(root).filter(name => !name.startsWith('sessions.sqlite'))]).toEqual(['600', []])
  })

  it('packs streamed chunks into one row, and reads them as the events they were', async () => {
    const { persistence, root } = await open()
    const chunks: SessionEvent[] = Array.from({ length: 500 }, (_, seq) => ({ type: 'assistant/chunk', seq, time: 1000 + (seq % 7), data: { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text: `w${seq} ` } } }))
    const writer = await persistence.create(header, signal)
    await writer.append(chunks)
    await writer.close()
    expect((await persistence.load('one', signal)).events).toEqual(chunks)
    const database = new DatabaseSync(join(root, 'sessions.sqlite'), { readOnly: true })
    expect(database.prepare('SELECT count(*) AS rows, sum(n) AS events FROM events').get()).toEqual({ rows: 1, events: 500 })
    database.close()
  })

  it('keeps a row that cannot be read, and what follows it, in a table of their own', async () => {
    const { persistence, root } = await open()
    const writer = await persistence.create(header, signal)
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
    const writer = await persistence.create(header, signal)
    await writer.append(turn(0))
    await expect(persistence.open('one', signal)).rejects.toMatchObject({ code: 'SESSION_IN_USE' })
    await expect(other.persistence.open('one', signal)).rejects.toMatchObject({ code: 'SESSION_IN_USE', holder: { pid: process.pid } })
    const database = new DatabaseSync(join(root, 'sessions.sqlite'))
    database.exec('UPDATE sessions SET next = 9')
    await expect(writer.append(turn(3))).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
    database.close()
    await writer.close()
  })

  it('finds words in messages', async () => {
    const { persistence } = await open()
    const writer = await persistence.create(header, signal)
    await writer.append(turn(0))
    await writer.close()
    expect(await persistence.search('WORLD hel', {}, signal)).toMatchObject([{ summary: { id: 'one' }, seq: 1, excerpt: 'hello world 0' }])
    expect(await persistence.search('nothing "of', {}, signal)).toEqual([])
    await persistence.delete('one', signal)
    expect([await persistence.search('hello', {}, signal), await persistence.list({}, signal)]).toEqual([[], []])
  })

  it('opens with what was committed, wherever its write-ahead log is torn', async () => {
    const { persistence, root } = await open()
    const writer = await persistence.create(header, signal)
    const all = Array.from({ length: 6 }, (_, i) => turn(3 * i))
    for (const events of all) await writer.append(events)
    const wal = readFileSync(join(root, 'sessions.sqlite-wal'))
    const database = readFileSync(join(root, 'sessions.sqlite'))
    const seen = new Set<number>()
    for (let length = wal.length; length > 0; length -= 997) {
      const image = mkdtempSync(join(tmpdir(), 'dsh-sqlite-'))
      cleanups.push(() => rmSync(image, { recursive: true, force: true }))
      writeFileSync(join(image, 'sessions.sqlite'), database)
      writeFileSync(join(image, 'sessions.sqlite-wal'), wal.subarray(0, length))
      const torn = await open(image)
      const { events, damage } = await torn.persistence.load('one', signal).catch((error: unknown) => {
        if (error instanceof PersistenceError && error.code === 'SESSION_NOT_FOUND') return { events: [], damage: [] }
        throw error
      })
      expect([events, damage]).toEqual([all.flat().slice(0, events.length), []])
      expect(events.length % 3).toBe(0)
      seen.add(events.length)
      await torn.close()
    }
    expect([...seen].sort((a, b) => a - b)).toEqual([0, 3, 6, 9, 12, 15, 18])
    await writer.close()
  })

  it('leaves a database of a newer version alone', async () => {
    const { persistence, root } = await open()
    const database = new DatabaseSync(join(root, 'sessions.sqlite'))
    database.exec('PRAGMA user_version = 99')
    await expect(persistence.list({}, signal)).rejects.toMatchObject({ code: 'SESSION_VERSION' })
    database.close()
  })
})
