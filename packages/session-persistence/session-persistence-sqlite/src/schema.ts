/**
 * The tables, and how an older database becomes the current one.
 *
 *     sessions   one row a session: header, what a list shows, who writes to it
 *     events     one row an event, or a packed run of `n` streamed chunks
 *     damaged    rows that could not be used, as they were
 *     messages   which words occur in which message (`rowid` is `events.key`);
 *                it holds no text of its own
 *
 * `header`, `totals`, `lease`, `data`, `source_event_seqs` and `surface_op` are
 * JSON. A packed row holds all of its record in `data`; the format is that of
 * `packChunks`. `cwd` is the real path of the directory, for filters.
 *
 * `events` has a row number although (session, seq) names a row: without one, a
 * row of more than a quarter of a page takes pages of its own, which made the
 * file three times as large.
 */

import type { DatabaseSync } from 'node:sqlite'
import { indexMessages } from './message-index.ts'

/** From the version that is its key to the next one. Runs in a transaction. */
export type Migration = (database: DatabaseSync) => void

/** `PRAGMA user_version` of what this program writes. */
export const SCHEMA_VERSION = 2

export const MIGRATIONS: Readonly<Record<number, Migration>> = { 0: createTables, 1: numberSessions }

const SESSIONS = `(
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  header TEXT NOT NULL,
  cwd TEXT,
  next INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  last_activity REAL NOT NULL,
  totals TEXT NOT NULL,
  lease TEXT
) STRICT`

const EVENT = `
  seq INTEGER NOT NULL,
  n INTEGER NOT NULL,
  type TEXT NOT NULL,
  time REAL NOT NULL,
  data TEXT NOT NULL,
  source_event_seqs TEXT,
  surface_op TEXT`

const EVENTS = (sessions: string): string => `(
  key INTEGER PRIMARY KEY,
  session INTEGER NOT NULL REFERENCES ${sessions} (key) ON DELETE CASCADE,${EVENT},
  UNIQUE (session, seq)
) STRICT`

const DAMAGED = `(
  key INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL,
  put_aside REAL NOT NULL,${EVENT}
) STRICT`

/** Words are told apart before they come here: the tokenizer only has to part them at blanks. */
const REST = `
  CREATE INDEX sessions_by_activity ON sessions (last_activity);
  CREATE VIRTUAL TABLE messages USING fts5 (words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');`

function createTables(database: DatabaseSync): void {
  database.exec(`CREATE TABLE sessions ${SESSIONS}; CREATE TABLE events ${EVENTS('sessions')}; CREATE TABLE damaged ${DAMAGED}; ${REST}; PRAGMA user_version = 2`)
}

/** Sessions get numbers, events row numbers, and the index its own form: less than half the size on disk. */
function numberSessions(database: DatabaseSync): void {
  const event = 'seq, n, type, time, data, source_event_seqs, surface_op'
  database.exec(`
    CREATE TABLE new_sessions ${SESSIONS};
    CREATE TABLE new_events ${EVENTS('new_sessions')};
    CREATE TABLE new_damaged ${DAMAGED};
    INSERT INTO new_sessions (id, header, cwd, next, bytes, last_activity, totals, lease)
      SELECT id, header, cwd, next, bytes, last_activity, totals, lease FROM sessions ORDER BY id;
    INSERT INTO new_events (session, ${event})
      SELECT new_sessions.key, ${event} FROM events JOIN new_sessions ON new_sessions.id = events.session_id ORDER BY 1, 2;
    INSERT INTO new_damaged (session_id, put_aside, ${event}) SELECT session_id, put_aside, ${event} FROM damaged ORDER BY rowid;
    DROP TABLE messages; DROP TABLE events; DROP TABLE damaged; DROP TABLE sessions;
    ALTER TABLE new_sessions RENAME TO sessions;
    ALTER TABLE new_events RENAME TO events;
    ALTER TABLE new_damaged RENAME TO damaged;
    ${REST};
    PRAGMA user_version = 2`)
  indexMessages(database)
}
