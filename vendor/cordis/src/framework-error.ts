/** The errors that our additions to the framework throw. */

import { HarnessError } from '@deepseek-ai/dsh-errors'

/** `duplicate-framework`: two copies of the framework met in one process. */
export type FrameworkErrorCode = 'duplicate-framework'

export class FrameworkError extends HarnessError {
  declare readonly code: FrameworkErrorCode

  constructor(code: FrameworkErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options)
  }
}
