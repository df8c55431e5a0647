/** A mistake in how the program was called: exit code 2. */

import { HarnessError } from '@deepseek-ai/dsh-errors'

export class UsageError extends HarnessError {
  constructor(message: string) {
    super('USAGE', message)
  }
}
