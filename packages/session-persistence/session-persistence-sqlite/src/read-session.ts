/** Reads one session from its rows, and moves rows that cannot be used out of the way. */

import type { SessionEvent, SessionId } from '@deepseek-ai/dsh-session'
import { BlockEcho, EventPrefix, faultOf, storedSession, SummaryFold, upcast, upcastLog, type Damage, type StoredParts, type StoredSession } from '@deepseek-ai/dsh-session-persistence'
import type { Database } from './database.ts'
import { EVENT_COLUMNS, recordOf, valuesOf, type EventRow } from './rows.ts'
import { headerOf, livingHolder, rowOf, type SessionRow } from './session-row.ts'

export interface ReadSession {
  key: number
  stored: StoredSession & StoredParts
  fold: SummaryFold
  /** The first event that cannot be used; undefined when all can. */
  brokenFrom?: number
}

/** Rows that are fetched at a time: of more, most would live only to be in the collector's way. */
const ROWS_AT_ONCE = 512

const NEXT_ROWS = `SELECT ${EVENT_COLUMNS} FROM events WHERE session = ? AND seq > ? ORDER BY seq LIMIT ${ROWS_AT_ONCE}`

/** The longest valid prefix, as one moment has it. Throws `SESSION_NOT_FOUND`, `SESSION_DAMAGED`, `SESSION_VERSION`. */
export function readSession(database: Database, id: SessionId): ReadSession {
  return database.snapshot(() => readRows(database, rowOf(database, id)))
}

function readRows(database: Database, row: SessionRow): ReadSession {
  const prefix = new EventPrefix('row')
  let isBroken = false
  for (const rows of pagesOf(database, row.key)) for (const each of rows) isBroken = !prefix.add(recordOf(each), each[0])
  const damage = prefix.damage()
  const form = upcastLog(headerOf(row), prefix.log)
  const fold = new SummaryFold(form.header)
  fold.advanceAll(form.log)
  const holder = livingHolder(row.lease)
  const summary = { ...fold.summary(row.bytes), ...(damage.length > 0 && { damage }), ...(holder && { inUseBy: holder }) }
  return { key: row.key, stored: storedSession({ ...form, damage, summary }), fold, ...(isBroken && { brokenFrom: prefix.log.length }) }
}

/** All rows of a session, in order. */
function* pagesOf(database: Database, key: number): Iterable<EventRow[]> {
  let last = Number.MIN_SAFE_INTEGER
  for (;;) {
    const rows = database.tuples<EventRow>(NEXT_ROWS, key, last)
    const end = rows.at(-1)?.[0] ?? last
    // An index that is damaged may lead back.
    if (end <= last) return
    yield rows
    last = end
  }
}

/** The last row up to an event before which no text of a block is needed. */
const BEGINNING = "SELECT seq FROM events WHERE session = ? AND seq <= ? AND type IN ('step/start', 'llm/attempt') ORDER BY seq DESC LIMIT 1"

/** Events `from` to `to`, inclusive, from their own rows; those before them are only counted. Throws like `readSession`. */
export function readRange(database: Database, id: SessionId, { from, to }: { from: number; to: number }): SessionEvent[] {
  const row = rowOf(database, id)
  const header = headerOf(row)
  // An older form can only be brought up to date as a whole.
  if (upcast({ header, events: [] }).header.version !== header.version) return readSession(database, id).stored.events.filter(({ seq }) => seq >= from && seq <= to)
  const begin = database.get<{ seq: number }>(BEGINNING, row.key, from)?.seq ?? 0
  const before = database.get<{ events: number }>('SELECT coalesce(sum(n), 0) AS events FROM events WHERE session = ? AND seq < ?', row.key, begin)
  if (before?.events !== begin) return []
  const rows = database.tuples<EventRow>(`SELECT ${EVENT_COLUMNS} FROM events WHERE session = ? AND seq BETWEEN ? AND ? ORDER BY seq`, row.key, begin, to)
  return eventsOf(rows, begin).filter(({ seq }) => seq >= from && seq <= to)
}

/** Up to the first that cannot be used. */
function eventsOf(rows: readonly EventRow[], begin: number): SessionEvent[] {
  const echo = new BlockEcho()
  const events: SessionEvent[] = []
  for (const value of rows.flatMap(valuesOf)) {
    if (faultOf(value, begin + events.length) !== undefined) break
    events.push(echo.read(value as SessionEvent))
  }
  return events
}

/** Moves what stands from event `from` on to the table `damaged`; nothing is thrown away. Within a transaction. */
export function putAside(database: Database, { key, stored }: ReadSession, from: number): StoredSession & StoredParts {
  const { id } = stored.header
  const unusable = 'session = ? AND seq + n > ?'
  database.run(`INSERT INTO damaged (session_id, put_aside, ${EVENT_COLUMNS}) SELECT ?, ?, ${EVENT_COLUMNS} FROM events WHERE ${unusable} ORDER BY seq`, id, Date.now(), key, from)
  database.run(`DELETE FROM messages WHERE rowid IN (SELECT key FROM events WHERE ${unusable})`, key, from)
  database.run(`DELETE FROM events WHERE ${unusable}`, key, from)
  const damage: Damage[] = stored.damage.map(each => ({ ...each, keptAside: `${database.path}, table damaged` }))
  const { header, log, summary } = stored
  return storedSession({ header, log, damage, summary: { ...summary, damage } })
}
