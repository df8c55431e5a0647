/** Every error of the session log, with its codes. */

import { HarnessError } from '@deepseek-ai/dsh-errors'

export type SessionErrorCode =
  /** An event is not what the log can hold: not JSON, wrong surface marker, hole in the numbering. */
  | 'INVALID_EVENT'
  /** A session of that id is open already. */
  | 'DUPLICATE_SESSION'
  /** The header is not usable: version, id, relative cwd. */
  | 'INVALID_HEADER'

export class SessionError extends HarnessError {
  constructor(code: SessionErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options)
  }
}
