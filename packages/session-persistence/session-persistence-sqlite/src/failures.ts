/** Turns what SQLite says into the errors of the seam. */

import { PersistenceError } from '@deepseek-ai/dsh-session-persistence'

/** Primary result codes (sqlite.org/rescode.html). */
const BUSY = 5
const FULL = 13
const CORRUPT = 11
const NOT_A_DATABASE = 26
/** Permission, read-only, cannot open, authorization. */
const NO_ACCESS: ReadonlySet<number> = new Set([3, 8, 14, 23])

/** Extended code: the file of shared memory beside the database could not be made as large as it has to be. */
const NO_SHARED_MEMORY = 4874

const NO_SPACE: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

interface Failure extends Error {
  errcode?: number
  code?: string
}

/** `doing` completes "cannot …". Errors of the seam itself pass. */
export function asFailure(error: unknown, doing: string): PersistenceError {
  if (error instanceof PersistenceError) return error
  const { message, code } = error as Failure
  const primary = primaryOf(error)
  if (primary === FULL || (error as Failure).errcode === NO_SHARED_MEMORY || NO_SPACE.has(code)) return new PersistenceError('STORE_FULL', `cannot ${doing}: there is no space left; free some and send the next message`, { cause: error })
  if (primary === CORRUPT) return new PersistenceError('STORE_FAILED', `cannot ${doing}: ${message}. What can be read of the database is saved by: dsh sessions repair ID, with any session's id`, { cause: error })
  if (primary === NOT_A_DATABASE) return new PersistenceError('STORE_FAILED', `cannot ${doing}: ${message}. Nothing was changed; put a copy in its place, move it away to begin anew, or use --no-session`, { cause: error })
  if (primary === BUSY) return new PersistenceError('STORE_FAILED', `cannot ${doing}: another process keeps the database locked`, { cause: error })
  return new PersistenceError('STORE_FAILED', `cannot ${doing}: ${message}`, { cause: NO_ACCESS.has(primary) ? asDenied(error as Failure) : error })
}

/** Another process is writing: worth another try. */
export function isBusy(error: unknown): boolean {
  return primaryOf(error) === BUSY
}

/** A page of the file is not what it must be. */
export function isCorrupt(error: unknown): boolean {
  return primaryOf(error) === CORRUPT
}

function primaryOf(error: unknown): number {
  return ((error as Failure).errcode ?? 0) & 0xff
}

/** Named as the file system would have: whoever waits for a store that can be written looks at that. */
function asDenied(error: Failure): Error {
  return Object.assign(new Error(error.message, { cause: error }), { code: 'EACCES' })
}
