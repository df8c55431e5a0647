/**
 * The executor's private directory (mode 0700): spilled output and the pipes.
 * It is made when first needed and removed with the executor; what crashed
 * executors left is removed when it is old enough.
 *
 *     <root>/dsh-bash-<pid>-<random>/12-stdout.log   0600
 */

import { closeSync, lstatSync, mkdtempSync, openSync, readdirSync, rmdirSync, rmSync, statSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const PREFIX = 'dsh-bash-'

export interface ScratchDirOptions {
  /** Where the directory is made. */
  root: string
  /** Bytes of one spill file; what comes later is not written. */
  maxSpillBytes: number
  /** Finished spill files that are kept, by number and bytes together; the oldest go first. */
  maxSpillFiles: number
  maxSpillTotalBytes: number
  /** Directories of dead processes go when they are older. */
  maxSpillAgeMs: number
  /** A directory of a dead process could not be removed. */
  onStaleError(error: unknown): void
}

export interface SpillFile {
  /** Throws when the disk does. */
  write(chunk: Buffer): void
  close(): { path: string; bytes: number } | undefined
  /** Closes and deletes it. */
  discard(): void
}

export class ScratchDir {
  private path: string | undefined
  private opened = 0
  /** Oldest first. */
  private readonly finished: { path: string; bytes: number }[] = []
  private readonly options: ScratchDirOptions

  constructor(options: ScratchDirOptions) {
    this.options = options
  }

  /** The directory, made now if it was not there. Throws what the file system throws. */
  ensure(): string {
    if (this.path === undefined || !statSync(this.path, { throwIfNoEntry: false })?.isDirectory()) {
      this.path = mkdtempSync(join(this.options.root, `${PREFIX}${process.pid}-`))
      removeStale(this.options)
    }
    return this.path
  }

  openSpill(stream: 'stdout' | 'stderr'): SpillFile {
    const path = join(this.ensure(), `${++this.opened}-${stream}.log`)
    const fd = openSync(path, 'wx', 0o600)
    const { maxSpillBytes } = this.options
    let bytes = 0
    return {
      write(chunk) {
        const part = chunk.subarray(0, maxSpillBytes - bytes)
        for (let at = 0; at < part.length; ) at += writeSync(fd, part, at)
        bytes += part.length
      },
      close: () => {
        closeSync(fd)
        this.finished.push({ path, bytes })
        this.retain()
        return { path, bytes }
      },
      discard() {
        closeSync(fd)
        rmSync(path, { force: true })
      },
    }
  }

  /** Removes it with everything in it. */
  remove(): void {
    if (this.path !== undefined) rmSync(this.path, { recursive: true, force: true })
    this.path = undefined
    this.finished.length = 0
  }

  private retain(): void {
    const { maxSpillFiles, maxSpillTotalBytes } = this.options
    let total = this.finished.reduce((sum, { bytes }) => sum + bytes, 0)
    // The newest two stay in any case: a result is about to name them.
    while (this.finished.length > 2 && (this.finished.length > maxSpillFiles || total > maxSpillTotalBytes)) {
      const oldest = this.finished.shift()
      if (!oldest) return
      rmSync(oldest.path, { force: true })
      total -= oldest.bytes
    }
  }
}

function removeStale({ root, maxSpillAgeMs, onStaleError }: ScratchDirOptions): void {
  try {
    for (const name of readdirSync(root)) {
      const pid = /^dsh-bash-(\d+)-\w{6}$/.exec(name)?.[1]
      if (pid !== undefined && !isAlive(Number(pid))) removeOlder(join(root, name), maxSpillAgeMs)
    }
  } catch (error) {
    // Another process may be removing the same one. Ours is made already, so nothing depends on it.
    onStaleError(error)
  }
}

/** Nothing is followed and nothing is removed recursively: other users may write to the same root. */
function removeOlder(path: string, maxAgeMs: number): void {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat?.isDirectory() || stat.uid !== process.getuid?.() || Date.now() - stat.mtimeMs < maxAgeMs) return
  for (const file of readdirSync(path)) unlinkSync(join(path, file))
  rmdirSync(path)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
