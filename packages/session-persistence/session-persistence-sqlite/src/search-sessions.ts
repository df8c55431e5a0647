/** Finds the sessions in which a message contains all words: the index names candidates, and their text decides. */

import { setImmediate as turnOfOthers } from 'node:timers/promises'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { faultOf, findWords, type SearchHit } from '@deepseek-ai/dsh-session-persistence'
import type { Database, Value } from './database.ts'
import { matchOf, MESSAGE_TYPES } from './message-index.ts'
import { EVENT_COLUMNS, valuesOf, type EventRow } from './rows.ts'
import { SESSION_COLUMNS, summarize, type SessionRow } from './session-row.ts'

export interface SearchScope {
  /** Only sessions of one of these directories; none means all. */
  folders: readonly string[]
  limit?: number
}

/** Candidates between two looks at what else there is to do. */
const PER_SLICE = 50

/** The latest session first, each with the first of its messages. `words` are lower case. */
export async function searchSessions(database: Database, words: readonly string[], { folders, limit = Infinity }: SearchScope, signal: AbortSignal): Promise<SearchHit[]> {
  const hits: SearchHit[] = []
  const seen = new Set<number>()
  let looked = 0
  for (const [session, key] of await database.reading(() => candidates(database, words, folders), signal)) {
    if (hits.length >= limit) break
    if (seen.has(session)) continue
    if (++looked % PER_SLICE === 0) await turnOfOthers()
    signal.throwIfAborted()
    const found = await database.reading(() => hitIn(database, key, words), signal)
    const row = found && database.get<SessionRow>(`SELECT ${SESSION_COLUMNS} FROM sessions WHERE key = ?`, session)
    if (!found || !row) continue
    seen.add(session)
    hits.push({ summary: summarize(row), ...found })
  }
  return hits
}

function candidates(database: Database, words: readonly string[], folders: readonly string[]): [session: number, key: number][] {
  const match = matchOf(words.join(' '))
  // Without a word in it (`->`), every message is a candidate.
  const from = match === undefined ? `events WHERE n = 1 AND type IN ${MESSAGE_TYPES}` : 'messages JOIN events ON events.key = messages.rowid WHERE messages MATCH ?'
  const where = folders.length === 0 ? '' : `WHERE cwd IN (${folders.map(() => '?').join(', ')})`
  const sql = `SELECT found.session, found.key FROM (SELECT session, events.key AS key, seq FROM ${from}) AS found JOIN sessions ON sessions.key = found.session ${where} ORDER BY last_activity DESC, id DESC, seq`
  const values: Value[] = match === undefined ? [...folders] : [match, ...folders]
  return database.tuples(sql, ...values)
}

function hitIn(database: Database, key: number, words: readonly string[]): { seq: number; excerpt: string } | undefined {
  const [row] = database.tuples<EventRow>(`SELECT ${EVENT_COLUMNS} FROM events WHERE key = ?`, key)
  const [value] = row ? valuesOf(row) : []
  return row && faultOf(value, row[0]) === undefined ? findWords([value as SessionEvent], words) : undefined
}
