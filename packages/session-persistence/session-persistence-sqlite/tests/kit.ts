/** A database in a folder of its own, and turns to put into it. */

import { mkdtempSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRoot } from 'cordis/host'
import { afterEach } from 'vitest'
import { SessionStore, type SessionEvent, type SessionHeader } from '@deepseek-ai/dsh-session'
import { SqliteSessionPersistence } from '../src/index.ts'

export const signal: AbortSignal = new AbortController().signal

export interface Opened {
  persistence: SqliteSessionPersistence
  root: string
  close(): Promise<void>
}

export interface Kit {
  cleanups: (() => unknown)[]
  newRoot(): string
  open(root?: string, config?: { busyMs?: number; pollMs?: number }): Promise<Opened>
}

export function kit(): Kit {
  const cleanups: (() => unknown)[] = []
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  })
  const newRoot = (): string => {
    const root = mkdtempSync(join(tmpdir(), 'dsh-sqlite-'))
    cleanups.push(() => rmSync(root, { recursive: true, force: true }))
    return root
  }
  return {
    cleanups,
    newRoot,
    async open(root = newRoot(), config = {}) {
      const ctx = createRoot()
      cleanups.push(() => ctx.fiber.dispose())
      await ctx.plugin(SessionStore)
      await ctx.plugin(SqliteSessionPersistence, { root, writeBehindMs: 5, ...config })
      return { persistence: ctx.sessionPersistence as SqliteSessionPersistence, root, close: () => ctx.fiber.dispose() }
    },
  }
}

/** The database as any other program opens it. */
export function edit<T>(root: string, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(join(root, 'sessions.sqlite'))
  try {
    return work(database)
  } finally {
    database.close()
  }
}

export function header(id: string): SessionHeader {
  return { version: 1, id, createdAt: 1000, cwd: '/' }
}

/** Three events from `from` on, in which the user says `text`. */
export function turn(from: number, text = `hello world ${from}`): SessionEvent[] {
  const number = 1 + from / 3
  return [
    { type: 'turn/start', seq: from, time: 1000 + from, data: { turn: number, trigger: { kind: 'message', source: { kind: 'user' } } } },
    { type: 'user/message', seq: from + 1, time: 1001 + from, data: { content: [{ type: 'text', text }], source: { kind: 'user' } }, surfaceOp: 'append' },
    { type: 'turn/end', seq: from + 2, time: 1002 + from, data: { turn: number, reason: { kind: 'completed' } } },
  ]
}

export function deltas(from: number, texts: readonly string[]): SessionEvent[] {
  return texts.map((text, i) => ({ type: 'assistant/chunk', seq: from + i, time: 1000 + from + i, data: { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text } } }))
}

export async function store(persistence: SqliteSessionPersistence, id: string, ...batches: SessionEvent[][]): Promise<void> {
  const writer = await persistence.create(header(id), signal)
  for (const batch of batches) await writer.append(batch)
  await writer.close()
}
