/**
 * Files as the agent sees them: text with lines, versions and exact edits.
 *
 * This package is the seam. It names the operations, owns `ctx.fs`, and holds
 * the meaning of an edit; it does not touch a disk. `dsh-fs-local` does,
 * `dsh-fs-policy` decides what may be written, `dsh-tool-fs` shows it to the model.
 */

import { Service, type Context } from 'cordis'
import type { FsEditOptions, FsEditOutcome, FsEditRequest, FsInfo, FsLines, FsListing, FsTarget, FsText, FsVersion, FsWriteOptions, FsWriteOutcome, ReadWindow } from './types.ts'

declare module 'cordis' {
  interface Context {
    fs: FileSystem
  }
}

/** The version of a file that is not there. */
export const ABSENT: FsVersion = 'absent'

export interface ResolveOptions {
  /** Absolute: where relative paths start. */
  cwd: string
  /** When nothing has exactly this name, take the only file whose name differs in kinds of blanks, quotes and Unicode composition; for what must exist. */
  lookalike?: boolean
  signal: AbortSignal
}

/**
 * Subclass it, load the subclass as a plugin, and it becomes `ctx.fs`. Every
 * subclass must pass the suite in `tests/contract.ts`.
 *
 * All methods reject with `FsError`, or with the signal's own reason once it is
 * aborted. None blocks on a FIFO or device: what is no regular file is
 * `FS_NOT_REGULAR_FILE`.
 */
export abstract class FileSystem extends Service {
  static readonly provide = 'fs'

  constructor(ctx: Context) {
    super(ctx, 'fs')
  }

  /** Which file a path means. A file need not exist, nor its parents; `FS_AMBIGUOUS_PATH` names the candidates when several look alike. */
  abstract resolve(path: string, options: ResolveOptions): Promise<FsTarget>

  /** Type and size, links followed; `FS_NOT_FOUND` when nothing is there. */
  abstract stat(target: FsTarget, signal: AbortSignal): Promise<FsInfo>

  /** The version of a regular file now; `ABSENT` when nothing is there. */
  abstract version(target: FsTarget, signal: AbortSignal): Promise<FsVersion>

  /** The whole text; `FS_TOO_LARGE` beyond the implementation's bound. */
  abstract readText(target: FsTarget, signal: AbortSignal): Promise<FsText>

  /** A window of lines; reads no more of a big file than it needs to. `FS_BEYOND_END` when it starts after the last line, except at line 1 of an empty file. */
  abstract readLines(target: FsTarget, window: ReadWindow, signal: AbortSignal): Promise<FsLines>

  /** Names and types, sorted by name. */
  abstract listDir(target: FsTarget, signal: AbortSignal): Promise<FsListing>

  /**
   * Makes `content` the whole of the file, making parent directories as needed.
   *
   * All or nothing: after any failure the old content is there. Mode, encoding
   * and byte order mark of an existing file are kept; line ends are those of
   * `content`. The same content again touches nothing. `FS_NOT_OBSERVED` and
   * `FS_STALE_VERSION` say that the intent does not hold.
   */
  abstract writeText(target: FsTarget, content: string, options: FsWriteOptions): Promise<FsWriteOutcome>

  /**
   * Applies the edits one after the other as `applyEdits` defines, all or
   * nothing. Every byte outside the matches stays. Edits of one file in one
   * process never overlap.
   */
  abstract editText(target: FsTarget, edits: readonly FsEditRequest[], options: FsEditOptions): Promise<FsEditOutcome>
}
