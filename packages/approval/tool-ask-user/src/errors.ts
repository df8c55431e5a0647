/** Every error of `ask_user`, with its codes; the messages are for the model. */

import { HarnessError } from '@deepseek-ai/dsh-errors'

export type AskUserErrorCode =
  /** There are none or too many, or one is empty, too long or ambiguous. */
  | 'INVALID_QUESTIONS'
  /** There is no human, or no way to put questions to one, or nobody answered. */
  | 'NOBODY_TO_ASK'
  /** The user did not want to answer. */
  | 'DECLINED'

export class AskUserError extends HarnessError {
  constructor(code: AskUserErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options)
  }
}
