/** Every error of reading what a message names, with its codes. */

import { HarnessError } from '@deepseek-ai/dsh-errors'

export type PromptContentErrorCode =
  /** It is no image, or of a kind that models do not take. */
  | 'NOT_AN_IMAGE'
  | 'IMAGE_TOO_LARGE'
  /** No program that reads the clipboard is installed, or it holds no image. */
  | 'NO_IMAGE_IN_CLIPBOARD'

export class PromptContentError extends HarnessError {
  constructor(code: PromptContentErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options)
  }
}
