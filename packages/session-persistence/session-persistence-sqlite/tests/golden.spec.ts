import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRoot } from 'cordis/host'
import { afterEach, describe, expect, it } from 'vitest'
import { SessionStore, type SessionEvent } from '@deepseek-ai/dsh-session'
import { goldenSessions } from '@deepseek-ai/dsh-session-persistence/golden'
import { SqliteSessionPersistence } from '../src/index.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const signal = new AbortController().signal

describe('golden databases', () => {
  it.each(goldenSessions())('of version $version open as they were written, go on, and are searched', async ({ version, header, events }) => {
    const root = mkdtempSync(join(tmpdir(), 'dsh-golden-'))
    cleanups.push(() => rmSync(root, { recursive: true, force: true }))
    const database = new DatabaseSync(join(root, 'sessions.sqlite'))
    database.exec(readFileSync(join(import.meta.dirname, `golden/v${version}.sql`), 'utf8'))
    database.close()
    const ctx = createRoot()
    cleanups.push(() => ctx.fiber.dispose())
    await ctx.plugin(SessionStore)
    await ctx.plugin(SqliteSessionPersistence, { root, writeBehindMs: 5 })
    const { sessionPersistence: persistence } = ctx

    const { writer, stored } = await persistence.open(header.id, signal)
    expect([stored.header, stored.events, stored.damage]).toEqual([header, events, []])
    const next: SessionEvent = { type: 'turn/start', seq: events.length, time: 1, data: { turn: 3, trigger: { kind: 'message', source: { kind: 'user' } } } }
    await writer.append([next])
    await writer.close()

    expect((await persistence.load(header.id, signal)).events).toEqual([...events, next])
    expect(await persistence.search('bread milk', {}, signal)).toMatchObject([{ summary: { id: header.id, title: 'A golden session', events: events.length + 1 }, seq: 35 }])
  })
})
