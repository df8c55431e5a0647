/** Turns what SQLite says into the errors of the seam. */

import { PersistenceError } from '@deepseek-ai/dsh-session-persistence'

/** Primary result codes (sqlite.org/rescode.html). */
const FULL = 13
const CORRUPT: ReadonlySet<number> = new Set([11, 26])

/** `doing` completes "cannot …". Errors of the seam itself pass. */
export function asFailure(error: unknown, doing: string): PersistenceError {
  if (error instanceof PersistenceError) return error
  const { message, errcode = 0, code } = error as Error & { errcode?: number; code?: string }
  const primary = errcode & 0xff
  if (primary === FULL || code === 'ENOSPC') return new PersistenceError('STORE_FULL', `cannot ${doing}: there is no space left; free some and send the next message`, { cause: error })
  const advice = CORRUPT.has(primary) ? '; the database is damaged: move it away, and what it holds can still be read with the sqlite3 program (.recover)' : ''
  return new PersistenceError('STORE_FAILED', `cannot ${doing}: ${message}${advice}`, { cause: error })
}
