/** Why there is no complete response. */

import { HarnessError } from '@deepseek-ai/dsh-errors'

export type HttpExchangeErrorCode =
  /** The host cannot be reached, or the connection broke before the status line. */
  | 'UNREACHABLE'
  /** The connection broke in the middle of the response. */
  | 'STREAM_CLOSED'
  /** The request cannot be put on the wire, as with a header of illegal characters. */
  | 'INVALID_REQUEST'
  /** Nothing arrived for longer than the budget allows. */
  | 'TIMEOUT'

/** The only error an exchange makes by itself; besides it, a sink sees the signal's reason and what it threw itself. */
export class HttpExchangeError extends HarnessError {
  declare readonly code: HttpExchangeErrorCode

  constructor(code: HttpExchangeErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options)
  }
}
