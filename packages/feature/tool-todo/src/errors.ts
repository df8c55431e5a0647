/** Every error of the to-do list, with its codes. */

import { HarnessError } from '@deepseek-ai/dsh-errors'

export type TodoErrorCode =
  /** An item is empty or there twice, or two are in progress. */
  | 'INVALID_TODOS'
  /** Run outside of an agent, there is no log to keep the list in. */
  | 'NO_AGENT'

export class TodoError extends HarnessError {
  constructor(code: TodoErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options)
  }
}
