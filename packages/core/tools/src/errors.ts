/** Every error of the tool pipeline, with its codes. They end up in `tool/result`. */

import { HarnessError } from '@deepseek-ai/dsh-errors'

export type ToolErrorCode =
  /** The model named a tool that this request did not offer. */
  | 'UNKNOWN_TOOL'
  /** The arguments do not fit the tool's schema, or are not JSON. */
  | 'INVALID_ARGS'
  /** A tool of that name is registered in the same scope. */
  | 'DUPLICATE_TOOL'
  /** The name is not one that every provider accepts. */
  | 'INVALID_NAME'
  /** The schema is not a JSON object whose root is an object. */
  | 'INVALID_SCHEMA'
  /** What the tool or a listener returned cannot be a result: not blocks, or not JSON. */
  | 'INVALID_RESULT'
  /** A listener said no. */
  | 'DENIED'
  /** Somebody would have to be asked, and nobody could. */
  | 'PERMISSION_REQUIRED'
  /** The call was stopped before it ended. */
  | 'ABORTED'

export class ToolError extends HarnessError {
  constructor(code: ToolErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options)
  }
}
