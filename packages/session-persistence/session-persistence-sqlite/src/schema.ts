/**
 * The tables, and how an older database becomes the current one.
 *
 *     sessions   one row a session: header, what a list shows, who writes to it
 *     events     one row an event, or a packed run of `n` streamed chunks
 *     damaged    rows that could not be used, as they were
 *     messages   the text of messages, for full-text search
 *
 * `data`, `source_event_seqs` and `surface_op` are JSON. A packed row holds all
 * of its record in `data`; the format is that of `packChunks`.
 */

/** `PRAGMA user_version` of what this program writes. */
export const SCHEMA_VERSION = 1

/** From the version that is its key to the next one. */
export const MIGRATIONS: Readonly<Record<number, string>> = {
  0: `
    CREATE TABLE sessions (
      id TEXT PRIMARY KEY,
      header TEXT NOT NULL,
      cwd TEXT,
      next INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      last_activity INTEGER NOT NULL,
      totals TEXT NOT NULL,
      lease TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE events (
      session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      seq INTEGER NOT NULL,
      n INTEGER NOT NULL,
      type TEXT NOT NULL,
      time INTEGER NOT NULL,
      data TEXT NOT NULL,
      source_event_seqs TEXT,
      surface_op TEXT,
      PRIMARY KEY (session_id, seq)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE damaged (
      session_id TEXT NOT NULL,
      put_aside INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      n INTEGER NOT NULL,
      type TEXT NOT NULL,
      time INTEGER NOT NULL,
      data TEXT NOT NULL,
      source_event_seqs TEXT,
      surface_op TEXT
    ) STRICT;
    CREATE INDEX sessions_by_activity ON sessions (last_activity);
    CREATE VIRTUAL TABLE messages USING fts5 (text, session_id UNINDEXED, seq UNINDEXED, tokenize = 'unicode61');
  `,
}
