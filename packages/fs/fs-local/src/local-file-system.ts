/** Answers `ctx.fs` with the files of this machine. */

import { readdir, stat } from 'node:fs/promises'
import type { Context } from 'cordis'
import z from 'schemastery'
import { unlessAborted } from '@deepseek-ai/dsh-abort'
import { ABSENT, FileSystem, FsError, KeyedLock } from '@deepseek-ai/dsh-fs'
import type { FsDirEntry, FsEditOptions, FsEditOutcome, FsEditRequest, FsInfo, FsLines, FsListing, FsTarget, FsText, FsVersion, FsWriteOptions, FsWriteOutcome, ReadWindow, ResolveOptions } from '@deepseek-ai/dsh-fs'
import { beyondEnd, decodeAny, linesOf, refuseBinary } from './decode-any.ts'
import { EditorBuffers } from './editor-buffers.ts'
import { HASHED_BYTES, inodeVersion, versionOf } from './file-version.ts'
import { FileWriter } from './file-writer.ts'
import { toFsError } from './io-error.ts'
import { openRegular, readAll, readChunks, type OpenFile } from './open-regular.ts'
import { resolveTarget, suggestName } from './resolve-target.ts'
import { streamWindow } from './stream-window.ts'

export interface LocalFileSystemConfig {
  /** Larger files are not read whole, so they cannot be edited either. */
  maxWholeBytes: number
  /** Of a larger file, so much is read to count the lines after a window. */
  maxScanBytes: number
  /** Entries of a directory that are listed. */
  maxEntries: number
  /** Whether a write waits for the disk. */
  durable: boolean
}

export class LocalFileSystem extends FileSystem {
  static readonly Config: z<LocalFileSystemConfig> = z.object({
    maxWholeBytes: z.natural().default(128 << 20).description('Largest file in bytes that is read whole and edited.'),
    maxScanBytes: z.natural().default(256 << 20).description('Bytes of a larger file that are read to count its lines.'),
    maxEntries: z.natural().default(10_000).description('Entries of a directory that are listed.'),
    durable: z.boolean().default(true).description('Wait until the disk has what was written.'),
  })

  private readonly config: LocalFileSystemConfig
  private readonly lock = new KeyedLock()
  private readonly editor: EditorBuffers
  private readonly writer: FileWriter

  constructor(ctx: Context, config: LocalFileSystemConfig) {
    super(ctx)
    this.config = config
    this.editor = new EditorBuffers(ctx)
    this.writer = new FileWriter(config, this.editor)
  }

  resolve(path: string, options: ResolveOptions): Promise<FsTarget> {
    return unlessAborted(resolveTarget(path, options), options.signal)
  }

  stat(target: FsTarget, signal: AbortSignal): Promise<FsInfo> {
    return this.guard(target, signal, async () => {
      const stats = await stat(target.targetKey)
      const type = stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other'
      return { type, size: stats.size, mode: stats.mode & 0o7777, modifiedMs: stats.mtimeMs }
    })
  }

  async version(target: FsTarget, signal: AbortSignal): Promise<FsVersion> {
    try {
      return await this.withFile(target, signal, async file => {
        return file.stats.size > HASHED_BYTES ? inodeVersion(file.stats) : versionOf(file.stats, await this.current(file, target, signal))
      })
    } catch (error) {
      if (error instanceof FsError && error.details.absent) return ABSENT
      throw error
    }
  }

  readText(target: FsTarget, signal: AbortSignal): Promise<FsText> {
    return this.withFile(target, signal, async file => {
      const bytes = await this.current(file, target, signal)
      return { ...(await decodeAny(bytes, target)), version: versionOf(file.stats, bytes), size: bytes.length }
    })
  }

  readLines(target: FsTarget, window: ReadWindow, signal: AbortSignal): Promise<FsLines> {
    return this.withFile(target, signal, async file => {
      if (file.stats.size > HASHED_BYTES) return await this.streamLines(file, target, { window, signal })
      const bytes = await this.current(file, target, signal)
      return linesOf(bytes, { target, window, version: versionOf(file.stats, bytes) })
    })
  }

  listDir(target: FsTarget, signal: AbortSignal): Promise<FsListing> {
    return this.guard(target, signal, async () => {
      const found = await readdir(target.targetKey, { withFileTypes: true })
      const entries = found.map((each): FsDirEntry => ({
        name: each.name,
        type: each.isFile() ? 'file' : each.isDirectory() ? 'directory' : each.isSymbolicLink() ? 'link' : 'other',
      }))
      entries.sort((a, b) => (a.name < b.name ? -1 : 1))
      return { entries: entries.slice(0, this.config.maxEntries), truncated: entries.length > this.config.maxEntries }
    })
  }

  async writeText(target: FsTarget, content: string, options: FsWriteOptions): Promise<FsWriteOutcome> {
    return await this.alone(target, options.signal, () => this.writer.write(target, content, options))
  }

  async editText(target: FsTarget, edits: readonly FsEditRequest[], options: FsEditOptions): Promise<FsEditOutcome> {
    return await this.alone(target, options.signal, () => this.writer.edit(target, edits, options))
  }

  private async streamLines(file: OpenFile, target: FsTarget, { window, signal }: { window: ReadWindow; signal: AbortSignal }): Promise<FsLines> {
    refuseBinary(await firstBytes(file), target, Number(file.stats.size))
    const found = await streamWindow(readChunks(file, signal), { ...window, maxScanBytes: this.config.maxScanBytes })
    if (found.lines.length === 0) throw beyondEnd(target, window.offset, found.totalLines)
    return { ...found, version: inodeVersion(file.stats), size: Number(file.stats.size) }
  }

  /** The bytes as they would be if an editor had saved what it holds. */
  private async current(file: OpenFile, target: FsTarget, signal: AbortSignal): Promise<Buffer> {
    return await this.editor.read(target, await this.whole(file, target, signal), signal)
  }

  private whole(file: OpenFile, { displayPath }: FsTarget, signal: AbortSignal): Promise<Buffer> {
    return readAll(file, { most: this.config.maxWholeBytes, displayPath, signal })
  }

  private withFile<T>(target: FsTarget, signal: AbortSignal, work: (file: OpenFile) => Promise<T>): Promise<T> {
    return this.guard(target, signal, async () => {
      const file = await openRegular(target)
      try {
        return await work(file)
      } finally {
        await file.handle.close()
      }
    })
  }

  /** For reading only: what hangs in a dead network filesystem is left behind when the signal comes. */
  private async guard<T>(target: FsTarget, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    try {
      signal.throwIfAborted()
      return await unlessAborted(work(), signal)
    } catch (error) {
      throw await describeFailure(error, target)
    }
  }

  private async alone<T>(target: FsTarget, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    try {
      return await this.lock.run(target.targetKey, signal, work)
    } catch (error) {
      throw await describeFailure(error, target)
    }
  }
}

async function describeFailure(error: unknown, target: FsTarget): Promise<unknown> {
  const ours = toFsError(error, target.displayPath)
  if (!(ours instanceof FsError) || !ours.details.absent) return ours
  const meant = await suggestName(target.targetKey)
  return meant === undefined ? ours : new FsError(ours.code, `${ours.message}; did you mean ${meant}?`, { cause: ours.cause, details: ours.details })
}

/** Leaves the file at its beginning. */
async function firstBytes({ handle, stats }: OpenFile): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.min(Number(stats.size), 8192))
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0)
  return bytes.subarray(0, bytesRead)
}
