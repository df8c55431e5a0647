/** Every error of translating between the protocol's content and ours, with its codes. */

import { HarnessError } from '@deepseek-ai/dsh-errors'

export type ContentErrorCode =
  /** The prompt holds nothing, or a kind of block that was not offered. */
  'INVALID_PROMPT'

export class ContentError extends HarnessError {
  constructor(code: ContentErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options)
  }
}
