/** Turns what the file system says into the errors of the seam. */

import { AppendFileError } from '@deepseek-ai/dsh-append-file'
import { LeaseError } from '@deepseek-ai/dsh-lease'
import { PersistenceError } from '@deepseek-ai/dsh-session-persistence'

/** Out of space, out of quota, or larger than a file may be. */
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** `doing` completes "cannot …". Errors of the seam itself pass. */
export function asFailure(error: unknown, doing: string): PersistenceError {
  if (error instanceof PersistenceError) return error
  if (error instanceof AppendFileError) return new PersistenceError(error.code === 'changed' ? 'SESSION_CHANGED' : 'SESSION_EXISTS', `${error.message}; open the session again`, { cause: error })
  if (error instanceof LeaseError) return error.code === 'in-use' ? new PersistenceError('SESSION_IN_USE', error.message, { cause: error, ...(error.holder && { holder: error.holder }) }) : new PersistenceError('SESSION_CHANGED', `${error.message}; open the session again`, { cause: error })
  const { code = '', message } = error as NodeJS.ErrnoException
  if (FULL.has(code)) return new PersistenceError('STORE_FULL', `cannot ${doing}: there is no space left (${code}); free some and send the next message`, { cause: error })
  return new PersistenceError('STORE_FAILED', `cannot ${doing}: ${message}`, { cause: error })
}
