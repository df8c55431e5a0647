/** Every error of running ripgrep, with its codes. */

import { HarnessError } from '@deepseek-ai/dsh-errors'

export type RipgrepErrorCode =
  /** ripgrep is not installed, or the configured program cannot be started. */
  | 'NO_PROGRAM'
  /** Somebody else ended it. */
  | 'SEARCH_FAILED'

export class RipgrepError extends HarnessError {
  constructor(code: RipgrepErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options)
  }
}
