/** Every error of the search tools, with its codes. */

import { HarnessError } from '@deepseek-ai/dsh-errors'

export type SearchErrorCode =
  /** The regular expression or the glob cannot be used; the message says why. */
  | 'INVALID_PATTERN'
  /** The path that was named does not exist or cannot be reached. */
  | 'NOT_FOUND'
  /** The path that was named is a pipe, a socket or a device. */
  | 'NOT_SEARCHABLE'
  /** ripgrep failed as a whole. */
  | 'SEARCH_FAILED'

export class SearchError extends HarnessError {
  constructor(code: SearchErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options)
  }
}
