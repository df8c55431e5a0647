/**
 * Puts new bytes in a file's place in one step: whoever looks sees all of the
 * old or all of the new, also after a crash. The bytes go to a temporary file
 * beside it, which is made durable and then takes its name.
 *
 * The permission bits are kept, and the owner where we may give it; other hard links and extended
 * attributes of the old file are not.
 */

import { randomBytes } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { constants, link, lstat, open, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf } from './io-error.ts'
import { temporaryName } from './stray-files.ts'

const CHUNK = 4 << 20

export interface Replacement {
  path: string
  bytes: Buffer
  /** The file that is there; undefined makes a new one, and fails with `EEXIST` if one has come. */
  existing: BigIntStats | undefined
  /** Wait until the disk has it. */
  durable: boolean
  /** Last look before the new file takes the name; a rejection leaves everything as it was. */
  verify(): Promise<void>
  signal: AbortSignal
}

type Owner = Pick<BigIntStats, 'uid' | 'gid'>

/** The state of the new file. After a rejection the old one is in its place and nothing is left beside it. */
export async function replaceFile(replacement: Replacement): Promise<BigIntStats> {
  const { path, existing, verify, signal } = replacement
  const directory = dirname(path)
  const temporary = join(directory, temporaryName(randomBytes(6).toString('hex')))
  try {
    const written = await writeTemporary(temporary, replacement)
    await verify()
    signal.throwIfAborted()
    await (existing ? rename(temporary, path) : publishNew(temporary, path))
    if (replacement.durable) await syncDirectory(directory)
    const stats = await lstat(path, { bigint: true })
    // Someone who replaced it at this very moment must not pass for us.
    return stats.ino === written.ino ? stats : written
  } catch (error) {
    await removeTemporary(temporary, error)
    throw error
  }
}

async function writeTemporary(temporary: string, { bytes, existing, durable, signal }: Replacement): Promise<BigIntStats> {
  // A new file gets what the umask leaves; a copy of an old one is private until it has the old one's bits.
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const handle = await open(temporary, flags, existing ? 0o600 : 0o666)
  try {
    for (let at = 0; at < bytes.length; ) {
      signal.throwIfAborted()
      at += (await handle.write(bytes, at, Math.min(CHUNK, bytes.length - at))).bytesWritten
    }
    if (existing) await copyOwnership(handle, existing)
    if (durable) await handle.sync()
    return await handle.stat({ bigint: true })
  } finally {
    await handle.close()
  }
}

/** The owner first: changing it clears the set-id bits. Of a group that we are not in, the members keep what everybody has. */
async function copyOwnership(handle: FileHandle, existing: BigIntStats): Promise<void> {
  const own = await handle.stat({ bigint: true })
  const mode = Number(existing.mode & 0o7777n)
  const kept = (await tryChown(handle, own, existing)) || (await tryChown(handle, own, { uid: own.uid, gid: existing.gid }))
  await handle.chmod(kept ? mode : (mode & 0o707) | ((mode & 0o007) << 3))
}

/** Whether the file has that owner and group now; only root, and for groups their members, may give it. */
async function tryChown(handle: FileHandle, own: Owner, wanted: Owner): Promise<boolean> {
  if (own.uid === wanted.uid && own.gid === wanted.gid) return true
  try {
    await handle.chown(Number(wanted.uid), Number(wanted.gid))
    return true
  } catch (error) {
    if (codeOf(error) === 'EPERM') return false
    throw error
  }
}

/** Takes the name only while nobody else has it. */
async function publishNew(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path)
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EACCES'].includes(codeOf(error) ?? '')) throw error
    // A filesystem without hard links. The caller looked a moment ago.
    await rename(temporary, path)
    return
  }
  await rm(temporary, { force: true })
}

async function syncDirectory(directory: string): Promise<void> {
  // Windows has no handle of a directory to flush; it orders the rename itself.
  if (process.platform === 'win32') return
  const handle = await open(directory, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    await handle.sync()
  } catch (error) {
    // Some filesystems have no notion of it.
    if (!['EINVAL', 'ENOTSUP', 'EPERM'].includes(codeOf(error) ?? '')) throw error
  } finally {
    await handle.close()
  }
}

async function removeTemporary(temporary: string, cause: unknown): Promise<void> {
  try {
    await rm(temporary, { force: true })
  } catch (error) {
    throw new AggregateError([cause, error], `the write failed, and its temporary file ${temporary} could not be removed`, { cause })
  }
}
