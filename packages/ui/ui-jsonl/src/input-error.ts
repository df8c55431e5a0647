/** What is wrong with a line of the input. */

import { HarnessError } from '@deepseek-ai/dsh-errors'

/** `BAD_LINE`: not what the format knows. `UNKNOWN_ID`: no open question has that id. `BAD_ANSWER`: the answer means nothing, and the question was refused. */
export type InputErrorCode = 'BAD_LINE' | 'UNKNOWN_ID' | 'BAD_ANSWER' | 'UNSUPPORTED'

export class InputError extends HarnessError {
  declare readonly code: InputErrorCode

  constructor(code: InputErrorCode, message: string) {
    super(code, message)
  }
}
