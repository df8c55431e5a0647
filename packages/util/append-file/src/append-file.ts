/**
 * One open file that only grows: appends at the place where it believes the end
 * to be, or not at all. Writing is synchronous, because it is the page cache
 * that is written to; waiting for the disk is not.
 */

import { closeSync, fchmodSync, fdatasync, fstatSync, ftruncateSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { linkOrCopy } from './link-or-copy.ts'
import { newNonce } from './nonce.ts'
import { settled, syncFolder } from './sync-folder.ts'

/** The state of a file, by which a later one is told from it. */
export interface FileStamp {
  size: number
  mtimeMs: number
  ino: number
}

/** `changed`: the file is not as it was left, nothing was written. `exists`: there is one of that name. Anything else is thrown as the file system does. */
export class AppendFileError extends Error {
  override readonly name = 'AppendFileError'
  readonly code: 'changed' | 'exists'

  constructor(code: 'changed' | 'exists', message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export class AppendFile {
  readonly path: string
  private readonly fd: number
  private length: number
  private isDirty: boolean
  /** The folder's entry of a new file has to be made durable too. */
  private isNew: boolean
  /** A part of a failed write may stand behind the end. */
  private isTorn = false

  private constructor(path: string, fd: number, { length, isNew }: { length: number; isNew: boolean }) {
    this.path = path
    this.fd = fd
    this.length = length
    this.isNew = this.isDirty = isNew
  }

  /** Creates the file with `text` in it, whole or not at all. Throws `exists`. */
  static create(path: string, text: string): AppendFile {
    const temporary = join(dirname(path), `.${newNonce()}.tmp`)
    const bytes = Buffer.from(text)
    const fd = openSync(temporary, 'wx+', 0o600)
    try {
      writeAll(fd, bytes, 0)
      publish(temporary, path)
      // A copied file is another one than the temporary.
      if (statSync(path).ino === fstatSync(fd).ino) return new AppendFile(path, fd, { length: bytes.length, isNew: true })
    } catch (error) {
      closeSync(fd)
      throw error
    } finally {
      rmSync(temporary, { force: true })
    }
    closeSync(fd)
    return new AppendFile(path, openSync(path, 'r+'), { length: bytes.length, isNew: true })
  }

  /** Opens a file of which `length` bytes are known to be sound and the rest is to be cut off. */
  static open(path: string, known: { ino: number; size: number; length: number }): AppendFile {
    const fd = openSync(path, 'r+')
    try {
      const { ino, size, mode } = fstatSync(fd)
      if (ino !== known.ino || size !== known.size) throw changed(path)
      // Opened to others, or brought along from elsewhere: from here on it is private again.
      if ((mode & 0o077) !== 0) fchmodSync(fd, 0o600)
      if (size > known.length) ftruncateSync(fd, known.length)
      return new AppendFile(path, fd, { length: known.length, isNew: false })
    } catch (error) {
      closeSync(fd)
      throw error
    }
  }

  /** Makes an empty file. Throws `changed` when there is one. */
  static openNew(path: string): AppendFile {
    try {
      return new AppendFile(path, openSync(path, 'wx+', 0o600), { length: 0, isNew: true })
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? changed(path) : error
    }
  }

  /** All of it or nothing. Throws `changed` when the file is not as this left it. */
  append(text: string): void {
    const bytes = Buffer.from(text)
    this.assertUnchanged()
    try {
      writeAll(this.fd, bytes, this.length)
    } catch (error) {
      this.isTorn = true
      this.cut()
      throw error
    }
    this.length += bytes.length
    this.isDirty = true
  }

  /** Throws `changed` when the file is not as this left it. */
  assertUnchanged(): void {
    if (this.isTorn) this.cut()
    const { size, nlink } = fstatSync(this.fd)
    if (size !== this.length || nlink === 0) throw changed(this.path)
  }

  /** Cuts off all of it; when that fails, the next append begins with it. */
  empty(): void {
    this.length = 0
    this.isTorn = true
    try {
      this.cut()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error
    }
  }

  /** Takes back what a failed write left; when that fails as well, the next append begins with it. */
  private cut(): void {
    ftruncateSync(this.fd, this.length)
    this.isTorn = false
  }

  /** Resolves when a power loss would take nothing. Free when nothing was written since. */
  async sync(): Promise<void> {
    if (!this.isDirty) return
    this.isDirty = false
    try {
      await settled(done => fdatasync(this.fd, done))
      if (this.isNew) await syncFolder(dirname(this.path))
      this.isNew = false
    } catch (error) {
      this.isDirty = true
      throw error
    }
  }

  /** What a stored summary is compared with. */
  stamp(): FileStamp {
    const { size, mtimeMs, ino } = fstatSync(this.fd)
    return { size, mtimeMs, ino }
  }

  close(): void {
    closeSync(this.fd)
  }
}

function writeAll(fd: number, bytes: Buffer, from: number): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, from + at)
}

/** Gives a complete file its name, unless it is taken. */
function publish(temporary: string, path: string): void {
  try {
    linkOrCopy(temporary, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new AppendFileError('exists', `there is a file ${path} already`, { cause: error })
  }
}

function changed(path: string): AppendFileError {
  return new AppendFileError('changed', `${path} is not as it was left: something else wrote to it. Nothing was written`)
}
