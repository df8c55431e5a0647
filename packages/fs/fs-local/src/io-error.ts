/** Turns what the system says into an `FsError` that names the path and, where there is one, the way out. */

import { FsError, type FsErrorCode } from '@deepseek-ai/dsh-fs'

const KNOWN: Readonly<Record<string, [code: FsErrorCode, says: string]>> = {
  ENOENT: ['FS_NOT_FOUND', 'does not exist'],
  ENOTDIR: ['FS_NOT_DIRECTORY', 'has a part in its path that is not a directory'],
  EISDIR: ['FS_NOT_REGULAR_FILE', 'is a directory'],
  ENAMETOOLONG: ['FS_INVALID_PATH', 'has a name that is too long for the filesystem'],
  EACCES: ['FS_PERMISSION_DENIED', 'is not accessible: permission denied'],
  EPERM: ['FS_PERMISSION_DENIED', 'is not accessible: operation not permitted'],
  EROFS: ['FS_PERMISSION_DENIED', 'is on a read-only filesystem'],
  ENOSPC: ['FS_IO_ERROR', 'could not be written: no space left on the device'],
  EDQUOT: ['FS_IO_ERROR', 'could not be written: the disk quota is used up'],
  EFBIG: ['FS_IO_ERROR', 'could not be written: it would be larger than the file size limit'],
  ELOOP: ['FS_IO_ERROR', 'is a symbolic link in a loop, or became one just now'],
  EAGAIN: ['FS_NOT_REGULAR_FILE', 'is a stream of the kernel that has nothing to read now'],
  ENXIO: ['FS_NOT_REGULAR_FILE', 'is a socket, or a device that is not there'],
  EBUSY: ['FS_IO_ERROR', 'is busy, such as a mount point, and cannot be replaced'],
}

/** What already is an `FsError`, or no system error at all, comes back as it is. */
export function toFsError(error: unknown, displayPath: string): unknown {
  const code = codeOf(error)
  if (error instanceof FsError || code === undefined) return error
  const known = KNOWN[code]
  if (!known) return new FsError('FS_IO_ERROR', `${displayPath} could not be used`, { cause: error })
  // The cause would only say the same again, with paths of ours in it.
  return new FsError(known[0], `${displayPath} ${known[1]}`, code === 'ENOENT' ? { details: { absent: true } } : {})
}

/** The code of a system error, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : undefined
}
