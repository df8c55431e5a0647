/** Every error about trust, with its codes. */

import { HarnessError } from '@deepseek-ai/dsh-errors'

export type TrustErrorCode =
  /** A file is not what its owner trusted. */
  | 'NOT_AS_TRUSTED'
  /** `.dsh/` holds more than can be fingerprinted at every start. */
  | 'TOO_MUCH'
  /** The record of what is trusted cannot be read, or is no record. */
  | 'RECORD_DAMAGED'
  /** Another process keeps the record locked. */
  | 'RECORD_LOCKED'

export class TrustError extends HarnessError {
  constructor(code: TrustErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options)
  }
}
