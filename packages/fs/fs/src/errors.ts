/** Every error of the filesystem capability, with its codes. Messages are written for the model that made the call. */

import { HarnessError } from '@deepseek-ai/dsh-errors'

export type FsErrorCode =
  /** Nothing is at that path. */
  | 'FS_NOT_FOUND'
  /** A part of the path that should be a directory is something else. */
  | 'FS_NOT_DIRECTORY'
  /** The path cannot name a file: empty, or with a NUL in it. */
  | 'FS_INVALID_PATH'
  /** No file has exactly this name, and several look like it. */
  | 'FS_AMBIGUOUS_PATH'
  /** Binary, or text of no encoding that is known. */
  | 'FS_NOT_TEXT'
  /** Text of an encoding that could be shown, but not written back without loss. */
  | 'FS_ENCODING'
  /** A directory, FIFO, socket or device. */
  | 'FS_NOT_REGULAR_FILE'
  /** Larger than what the operation is bounded to. */
  | 'FS_TOO_LARGE'
  /** A window that starts after the last line. */
  | 'FS_BEYOND_END'
  | 'FS_PERMISSION_DENIED'
  /** Any other failure of the system. */
  | 'FS_IO_ERROR'
  /** The file is not what it was when it was last seen. */
  | 'FS_STALE_VERSION'
  /** The file exists and has not been read. */
  | 'FS_NOT_OBSERVED'
  /** Only a part of the file has been read. */
  | 'FS_PARTLY_OBSERVED'
  /** `oldString` is in the file more than once. */
  | 'FS_AMBIGUOUS_EDIT'
  /** `oldString` is not in the file. */
  | 'FS_EDIT_NOT_FOUND'
  /** The edit makes no sense by itself: empty or unchanged strings, half a character. */
  | 'FS_INVALID_EDIT'
  /** The new text carries the line numbers of a read. */
  | 'FS_LINE_NUMBERS'

/** What a program may want to know beside the code. */
export interface FsErrorDetails {
  /** Of the file, in bytes. */
  size?: number
  /** What the first bytes say a binary file is. */
  mediaType?: string
  /** The file turned out to be absent. */
  absent?: true
}

export class FsError extends HarnessError {
  declare readonly code: FsErrorCode
  readonly details: FsErrorDetails

  constructor(code: FsErrorCode, message: string, options: ErrorOptions & { details?: FsErrorDetails } = {}) {
    super(code, message, options)
    this.details = options.details ?? {}
  }
}
