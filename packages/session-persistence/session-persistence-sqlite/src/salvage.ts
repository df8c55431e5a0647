/**
 * Saves what can be read of a damaged database into a new one, and puts the
 * damaged one aside. Rows on pages that cannot be read are missing afterwards;
 * each session then opens with what stands before its first missing row.
 */

import { existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { PersistenceError } from '@deepseek-ai/dsh-session-persistence'
import { createPrivate } from './database.ts'
import { isBusy, isCorrupt } from './failures.ts'
import { indexMessages } from './message-index.ts'
import { EVENT_COLUMNS } from './rows.ts'
import { MIGRATIONS, SCHEMA_VERSION } from './schema.ts'

export interface Salvaged {
  sessions: number
  rows: number
  /** Sessions whose own row is gone: their header is made up, and where the name is gone too, that. */
  headless: string[]
  /** The damaged database; it is a database of its own, with its write-ahead log. */
  keptAside: string
}

interface Table {
  name: string
  columns: string
}

type Row = Record<string, string | number | null> & { key: number }

const SESSIONS: Table = { name: 'sessions', columns: 'id, header, cwd, next, bytes, last_activity, totals, lease' }
const EVENTS: Table = { name: 'events', columns: `session, ${EVENT_COLUMNS}` }
const DAMAGED: Table = { name: 'damaged', columns: `session_id, put_aside, ${EVENT_COLUMNS}` }

/**
 * Nobody else may have the database open: throws `STORE_FAILED` when somebody
 * has, or when not even the tables can be found; nothing is changed then.
 */
export async function salvage(path: string): Promise<Salvaged> {
  const { DatabaseSync } = await import('node:sqlite')
  const target = `${path}.salvaged`
  const keptAside = freeName(path)
  rmSync(target, { force: true })
  createPrivate(target)
  const from = new DatabaseSync(path, { enableForeignKeyConstraints: false })
  const into = new DatabaseSync(target, { enableForeignKeyConstraints: false })
  try {
    holdAlone(from, path)
    const report = copyAll(from, into)
    // A second name, so that at no moment the damaged file is without one.
    linkSync(path, keptAside)
    return { ...report, keptAside }
  } catch (error) {
    into.close()
    rmSync(target, { force: true })
    throw error
  } finally {
    // Writes the write-ahead log back, where that is possible.
    from.close()
    if (into.isOpen) {
      into.close()
      replace(path, keptAside, target)
    }
  }
}

/** The names of the sessions that can still be found. */
export async function readableIds(path: string): Promise<string[]> {
  const { DatabaseSync } = await import('node:sqlite')
  const from = new DatabaseSync(path, { readOnly: true })
  try {
    const ids = [...readableRows(from, SESSIONS)].map(({ id }) => String(id))
    return [...new Set([...ids, ...namesOf(from).values()])].sort()
  } finally {
    from.close()
  }
}

function copyAll(from: DatabaseSync, into: DatabaseSync): Omit<Salvaged, 'keptAside'> {
  MIGRATIONS[0]?.(into)
  into.exec('BEGIN')
  const sessions = new Set<number>()
  for (const row of copied(from, into, SESSIONS)) sessions.add(row.key)
  const headless: string[] = []
  const names = namesOf(from)
  let rows = 0
  for (const { session, time } of copied(from, into, EVENTS)) {
    rows++
    if (sessions.has(Number(session))) continue
    sessions.add(Number(session))
    headless.push(makeRow(into, Number(session), Number(time), names))
  }
  for (const _ of copied(from, into, DAMAGED)) rows++
  into.exec('UPDATE sessions SET lease = NULL')
  indexMessages(into)
  into.exec('COMMIT')
  return { sessions: sessions.size, rows, headless }
}

/** For a session whose row is gone. */
function makeRow(into: DatabaseSync, key: number, time: number, names: ReadonlyMap<number, string>): string {
  const id = names.get(key) ?? `recovered-${key}-${Date.now().toString(36)}`
  into.prepare('INSERT INTO sessions (key, id, header, next, bytes, last_activity, totals) VALUES (?, ?, ?, 0, 0, ?, ?)').run(key, id, JSON.stringify({ version: 1, id, createdAt: time }), time, '{}')
  return id
}

/** The index of names has them apart from the rows, so that one may be there when the other is not. */
function namesOf(from: DatabaseSync): Map<number, string> {
  const names = new Map<number, string>()
  for (const order of ['ASC', 'DESC']) {
    try {
      const rows = from.prepare(`SELECT key, id FROM sessions INDEXED BY sqlite_autoindex_sessions_1 ORDER BY id ${order}`)
      for (const { key, id } of rows.iterate() as Iterable<{ key: number; id: string }>) names.set(key, id)
      return names
    } catch (error) {
      if (!isCorrupt(error)) throw error
    }
  }
  return names
}

/** Copies what can be read of a table, and yields each row that was taken. One that the new table refuses was garbage. */
function* copied(from: DatabaseSync, into: DatabaseSync, table: Table): Iterable<Row> {
  const names = table.columns.split(', ')
  const insert = into.prepare(`INSERT INTO ${table.name} (key, ${table.columns}) VALUES (?, ${names.map(() => '?').join(', ')})`)
  for (const row of readableRows(from, table)) {
    if (isTaken(insert, [row.key, ...names.map(name => row[name] ?? null)])) yield row
  }
}

const CONSTRAINT = 19

function isTaken(insert: StatementSync, values: (string | number | null)[]): boolean {
  try {
    insert.run(...values)
    return true
  } catch (error) {
    if ((((error as { errcode?: number }).errcode ?? 0) & 0xff) === CONSTRAINT) return false
    throw error
  }
}

/** Every row that lies on readable pages, each once; those behind an unreadable page are found by their numbers. */
function* readableRows(from: DatabaseSync, { name, columns }: Table): Iterable<Row> {
  const sql = `SELECT key, ${columns} FROM ${name} NOT INDEXED WHERE key > ? AND key < ? ORDER BY key`
  const [up, down, probe] = [sql, `${sql} DESC`, `${sql} LIMIT 1`].map(text => from.prepare(text)) as [StatementSync, StatementSync, StatementSync]
  let after = -1
  while (!(yield* untilFault(up, after, Number.MAX_SAFE_INTEGER, row => (after = row.key)))) {
    const before = behindFault(probe, after)
    if (before === undefined) return
    // The probe jumps farther and farther, maybe over readable rows; those are met from behind.
    yield* untilFault(down, after, before, () => undefined)
    after = before - 1
  }
}

/** Whether the end was reached. */
function* untilFault(statement: StatementSync, after: number, before: number, seen: (row: Row) => void): Generator<Row, boolean> {
  try {
    for (const row of statement.iterate(after, before) as Iterable<Row>) {
      seen(row)
      yield row
    }
    return true
  } catch (error) {
    if (isCorrupt(error)) return false
    throw error
  }
}

/** The number of a row that can be read behind the page that cannot; undefined when there is none. */
function behindFault(probe: StatementSync, after: number): number | undefined {
  for (let jump = 1; after + jump < Number.MAX_SAFE_INTEGER; jump *= 2) {
    try {
      const row = probe.get(after + jump - 1, Number.MAX_SAFE_INTEGER) as Row | undefined
      return row?.key
    } catch (error) {
      if (!isCorrupt(error)) throw error
    }
  }
  return undefined
}

/** Every connection to a database with a write-ahead log shares a lock on the file; this takes it alone. */
function holdAlone(from: DatabaseSync, path: string): void {
  try {
    from.exec('PRAGMA locking_mode = EXCLUSIVE')
    const { user_version: version } = from.prepare('PRAGMA user_version').get() as { user_version: number }
    if (version !== SCHEMA_VERSION) throw new PersistenceError('STORE_FAILED', `${path} is damaged, and its form (${version}) is another than this program knows; nothing was changed`)
  } catch (error) {
    if (isBusy(error)) throw new PersistenceError('STORE_FAILED', `${path} is damaged, and another process has it open; end all others first, then repair again`, { cause: error })
    throw error
  }
}

/** A log that could not be written back goes along with its database; another one must never meet it. */
function replace(path: string, keptAside: string, target: string): void {
  if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${keptAside}-wal`)
  rmSync(`${path}-shm`, { force: true })
  renameSync(target, path)
}

function freeName(path: string): string {
  for (let n = 1; ; n++) {
    const name = `${path}.damaged-${n}`
    if (!existsSync(name) && !existsSync(`${name}-wal`)) return name
  }
}
