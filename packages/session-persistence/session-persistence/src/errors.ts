/** Every error of stored sessions, with its codes. */

import { HarnessError } from '@deepseek-ai/dsh-errors'
import type { LeaseHolder } from '@deepseek-ai/dsh-lease'

export type PersistenceErrorCode =
  /** No stored session has that id. */
  | 'SESSION_NOT_FOUND'
  /** The prefix fits more than one. */
  | 'SESSION_AMBIGUOUS'
  /** Another process, or another part of this one, writes to it. */
  | 'SESSION_IN_USE'
  /** A session of that id is stored already. */
  | 'SESSION_EXISTS'
  /** What is stored is not what the writer believes: somebody else wrote. Nothing was written. */
  | 'SESSION_CHANGED'
  /** The stored form is of a version that this one does not know. */
  | 'SESSION_VERSION'
  /** Not even the header can be used. */
  | 'SESSION_DAMAGED'
  /** The disk is full. */
  | 'STORE_FULL'
  /** The store cannot be read or written; `cause` has the system's error. */
  | 'STORE_FAILED'

export interface PersistenceErrorOptions extends ErrorOptions {
  holder?: LeaseHolder
}

export class PersistenceError extends HarnessError {
  /** Present with `SESSION_IN_USE`. */
  readonly holder?: LeaseHolder

  constructor(code: PersistenceErrorCode, message: string, options: PersistenceErrorOptions = {}) {
    super(code, message, options)
    if (options.holder) this.holder = options.holder
  }
}
