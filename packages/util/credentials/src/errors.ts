/** Every error of stored credentials, with its codes. No message holds a value. */

import { HarnessError } from '@deepseek-ai/dsh-errors'

export type CredentialsErrorCode =
  /** Others than the owner can read the file, or it is not a file. */
  | 'CREDENTIALS_EXPOSED'
  /** A value that cannot be kept in a line. */
  | 'CREDENTIALS_INVALID'

export class CredentialsError extends HarnessError {
  constructor(code: CredentialsErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options)
  }
}
