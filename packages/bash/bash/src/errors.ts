/** Every error of running commands, with its codes. How a command ends is no error: that is a `BashRunResult`. */

import { HarnessError } from '@deepseek-ai/dsh-errors'

export type BashErrorCode =
  /** The command is empty, or no system could take it. */
  | 'BASH_INVALID_COMMAND'
  /** The request names an impossible time limit or directory. */
  | 'BASH_INVALID_REQUEST'
  /** The directory that the caller asked for is not there, or is no directory. */
  | 'BASH_WORKDIR_NOT_FOUND'
  /** There is no shell to run it. */
  | 'BASH_NO_SHELL'
  /** The system refused to start the process. */
  | 'BASH_SPAWN_FAILED'
  /** The executor was unloaded while the command ran, or before. */
  | 'BASH_DISPOSED'

export class BashError extends HarnessError {
  constructor(code: BashErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options)
  }
}
