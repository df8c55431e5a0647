/** The base of every error that the harness throws on purpose: a sentence and a stable code. */

import { describeError } from './describe-error.ts'

/**
 * Callers branch on `code`, never on `message`. Packages subclass it with a
 * union of their own codes; `cause` holds what the world said.
 */
export class HarnessError extends Error {
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.code = code
  }
}

/** Recognises a `HarnessError` of another realm or copy too: anything that is an Error with a string code. */
export function isHarnessError(value: unknown): value is HarnessError {
  return value instanceof Error && typeof (value as { code?: unknown }).code === 'string'
}

/** Whatever was thrown, as an error with a code; what had none gets `UNKNOWN`. */
export function toHarnessError(value: unknown): HarnessError {
  if (isHarnessError(value)) return value
  // An AggregateError says nothing by itself.
  const message = (value instanceof Error && value.message) || describeError(value)
  return new HarnessError('UNKNOWN', message, { cause: value })
}
