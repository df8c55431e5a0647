/**
 * One open log: appends at the place where it believes the end to be, or not at
 * all. Writing is synchronous, because it is the page cache that is written to;
 * waiting for the disk is not.
 */

import { closeSync, constants, copyFileSync, fchmodSync, fdatasync, fstatSync, fsync, ftruncateSync, linkSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PersistenceError } from '@deepseek-ai/dsh-session-persistence'
import { asFailure } from './failures.ts'
import type { FileStamp } from './meta-file.ts'
import { newNonce } from './nonce.ts'

/** File systems without hard links say one of these. */
const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/** File systems that cannot make a folder durable say one of these; the file itself is. */
const NO_FOLDER_SYNC: ReadonlySet<string> = new Set(['EINVAL', 'EPERM', 'EISDIR', 'ENOTSUP'])

export class LogFile {
  readonly path: string
  private readonly fd: number
  private length: number
  private isDirty: boolean
  /** The folder's entry of a new file has to be made durable too. */
  private isNew: boolean

  private constructor(path: string, fd: number, { length, isNew }: { length: number; isNew: boolean }) {
    this.path = path
    this.fd = fd
    this.length = length
    this.isNew = this.isDirty = isNew
  }

  /** Creates the file with `text` in it, whole or not at all. Throws `SESSION_EXISTS`. */
  static create(path: string, text: string): LogFile {
    const temporary = join(dirname(path), `.${newNonce()}.tmp`)
    const bytes = Buffer.from(text)
    const fd = openSync(temporary, 'wx+', 0o600)
    try {
      writeAll(fd, bytes, 0)
      publish(temporary, path)
      // A copied file is another one than the temporary.
      if (statSync(path).ino === fstatSync(fd).ino) return new LogFile(path, fd, { length: bytes.length, isNew: true })
    } catch (error) {
      closeSync(fd)
      throw error
    } finally {
      rmSync(temporary, { force: true })
    }
    closeSync(fd)
    return new LogFile(path, openSync(path, 'r+'), { length: bytes.length, isNew: true })
  }

  /** Opens a file of which `length` bytes are known to be sound and the rest is to be cut off. */
  static open(path: string, known: { ino: number; size: number; length: number }): LogFile {
    const fd = openSync(path, 'r+')
    try {
      const { ino, size, mode } = fstatSync(fd)
      if (ino !== known.ino || size !== known.size) throw changed(path)
      // Opened to others, or brought along from elsewhere: from here on it is private again.
      if ((mode & 0o077) !== 0) fchmodSync(fd, 0o600)
      if (size > known.length) ftruncateSync(fd, known.length)
      return new LogFile(path, fd, { length: known.length, isNew: false })
    } catch (error) {
      closeSync(fd)
      throw error
    }
  }

  /** All of it or nothing. Throws `SESSION_CHANGED` when the file is not as this left it. */
  append(text: string): void {
    const bytes = Buffer.from(text)
    const { size, nlink } = fstatSync(this.fd)
    if (size !== this.length || nlink === 0) throw changed(this.path)
    try {
      writeAll(this.fd, bytes, this.length)
    } catch (error) {
      ftruncateSync(this.fd, this.length)
      throw error
    }
    this.length += bytes.length
    this.isDirty = true
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
      throw asFailure(error, `make ${this.path} durable`)
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

function settled(work: (done: (error: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => work(error => (error ? reject(error) : resolve())))
}

function writeAll(fd: number, bytes: Buffer, from: number): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, from + at)
}

/** Gives a complete file its name, unless it is taken. */
function publish(temporary: string, path: string): void {
  try {
    linkSync(temporary, path)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new PersistenceError('SESSION_EXISTS', `there is a session file ${path} already`, { cause: error })
    if (!NO_LINKS.has(code)) throw error
    copyFileSync(temporary, path, constants.COPYFILE_EXCL)
  }
}

async function syncFolder(path: string): Promise<void> {
  const fd = openSync(path, 'r')
  try {
    await settled(done => fsync(fd, done))
  } catch (error) {
    if (!NO_FOLDER_SYNC.has((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    closeSync(fd)
  }
}

function changed(path: string): PersistenceError {
  return new PersistenceError('SESSION_CHANGED', `${path} is not as it was left: something else wrote to it. Nothing was written; open the session again`)
}
