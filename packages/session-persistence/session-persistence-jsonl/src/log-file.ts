/** One open log: appends at the place where it believes the end to be, or not at all. */

import { randomBytes } from 'node:crypto'
import { copyFile, constants, link, open, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PersistenceError } from '@deepseek-ai/dsh-session-persistence'
import { asFailure } from './failures.ts'

/** File systems without hard links say one of these. */
const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

export class LogFile {
  readonly path: string
  private readonly handle: FileHandle
  private readonly ino: number
  private length: number
  private isDirty = false
  /** The folder's entry of a new file has to be made durable too. */
  private isNew: boolean

  private constructor(path: string, handle: FileHandle, at: { ino: number; length: number; isNew: boolean }) {
    this.path = path
    this.handle = handle
    this.ino = at.ino
    this.length = at.length
    this.isNew = at.isNew
    this.isDirty = at.isNew
  }

  /** Creates the file with `text` in it, whole or not at all. Throws `SESSION_EXISTS`. */
  static async create(path: string, text: string): Promise<LogFile> {
    const temporary = join(dirname(path), `.${randomBytes(8).toString('hex')}.tmp`)
    const bytes = Buffer.from(text)
    const handle = await open(temporary, 'wx+', 0o600)
    try {
      await writeAll(handle, bytes, 0)
      await publish(temporary, path)
    } catch (error) {
      await handle.close()
      throw error
    } finally {
      await rm(temporary, { force: true })
    }
    const { ino } = await handle.stat()
    const current = await stat(path)
    // A copied file is another one than the temporary.
    if (current.ino === ino) return new LogFile(path, handle, { ino, length: bytes.length, isNew: true })
    await handle.close()
    return new LogFile(path, await open(path, 'r+'), { ino: current.ino, length: bytes.length, isNew: true })
  }

  /** Opens a file of which `length` bytes are known to be sound and the rest is to be cut off. */
  static async open(path: string, known: { ino: number; size: number; length: number }): Promise<LogFile> {
    const handle = await open(path, 'r+')
    try {
      const { ino, size } = await handle.stat()
      if (ino !== known.ino || size !== known.size) throw changed(path)
      if (size > known.length) await handle.truncate(known.length)
      return new LogFile(path, handle, { ino, length: known.length, isNew: false })
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  /** How many bytes are written. */
  get size(): number {
    return this.length
  }

  /** All of it or nothing. Throws `SESSION_CHANGED` when the file is not as this left it. */
  async append(text: string): Promise<void> {
    const bytes = Buffer.from(text)
    const { size, nlink } = await this.handle.stat()
    if (size !== this.length || nlink === 0) throw changed(this.path)
    try {
      await writeAll(this.handle, bytes, this.length)
    } catch (error) {
      await this.handle.truncate(this.length)
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
      await this.handle.datasync()
      if (this.isNew) await syncFolder(dirname(this.path))
      this.isNew = false
    } catch (error) {
      this.isDirty = true
      throw asFailure(error, `make ${this.path} durable`)
    }
  }

  /** What a stored summary is compared with. */
  async stamp(): Promise<{ size: number; mtimeMs: number; ino: number }> {
    const { size, mtimeMs, ino } = await this.handle.stat()
    return { size, mtimeMs, ino }
  }

  async close(): Promise<void> {
    await this.handle.close()
  }
}

async function writeAll(handle: FileHandle, bytes: Buffer, from: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, from + at)
    at += bytesWritten
  }
}

/** Gives a complete file its name, unless it is taken. */
async function publish(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new PersistenceError('SESSION_EXISTS', `there is a session file ${path} already`, { cause: error })
    if (!NO_LINKS.has(code)) throw error
    await copyFile(temporary, path, constants.COPYFILE_EXCL)
  }
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } catch (error) {
    // Some file systems cannot; the file itself is durable.
    if (!['EINVAL', 'EPERM', 'EISDIR', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    await handle.close()
  }
}

function changed(path: string): PersistenceError {
  return new PersistenceError('SESSION_CHANGED', `${path} is not as it was left: something else wrote to it. Nothing was written; open the session again`)
}
