/** Every error of the model layer, with its codes. */

import { HarnessError } from '@deepseek-ai/dsh-errors'

/**
 * Why a model request failed. Besides these, `HTTP_<status>` for a status that
 * has no code of its own.
 */
export type LlmErrorCode =
  /** No adapter serves the model that was asked for. */
  | 'NO_ADAPTER'
  /** Another adapter already serves the model. */
  | 'DUPLICATE_ADAPTER'
  /** The key is missing, malformed or refused (401, 403). */
  | 'AUTH'
  /** Too many requests (429); may be retried after `retryAfterMs`. */
  | 'RATE_LIMIT'
  /** The account has nothing left (402, or a 429 that says so); a retry is useless. */
  | 'QUOTA'
  /** The provider refused the request as such (400, 404, 422). */
  | 'INVALID_REQUEST'
  /** The request does not fit into the model's window. */
  | 'CONTEXT_OVERFLOW'
  /** The provider failed (5xx), also inside a stream that began with 200. */
  | 'SERVER'
  /** The address cannot be reached, or the connection broke before the answer began. */
  | 'UNREACHABLE'
  /** The stream ended or broke before the provider's end marker. */
  | 'STREAM_CLOSED'
  /** Nothing arrived for longer than the budget allows. */
  | 'TIMEOUT'
  /** The answer is complete and holds nothing: no text and no call. */
  | 'EMPTY_RESPONSE'
  /** What arrived is not the protocol: HTML, broken JSON, a redirect. */
  | 'MALFORMED_RESPONSE'
  /** The answer was withheld by the provider's content filter. */
  | 'CONTENT_FILTER'
  /** The request was aborted by the harness. */
  | 'ABORTED'
  /** The adapter cannot express the request. */
  | 'UNSUPPORTED'

const RETRYABLE: ReadonlySet<string> = new Set(['RATE_LIMIT', 'SERVER', 'UNREACHABLE', 'STREAM_CLOSED', 'TIMEOUT', 'EMPTY_RESPONSE', 'MALFORMED_RESPONSE', 'HTTP_408', 'HTTP_409', 'HTTP_425'])

export interface LlmErrorOptions extends ErrorOptions {
  /** The HTTP status, where there was one. */
  status?: number
  /** How long the provider asks to wait, in milliseconds. */
  retryAfterMs?: number
}

/** A failure of a model request. `retryable` says whether the same request may succeed later. */
export class LlmError extends HarnessError {
  readonly status?: number
  readonly retryAfterMs?: number

  constructor(code: LlmErrorCode | `HTTP_${number}`, message: string, options: LlmErrorOptions = {}) {
    super(code, message, options)
    if (options.status !== undefined) this.status = options.status
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs
  }

  get retryable(): boolean {
    return RETRYABLE.has(this.code)
  }
}
