/** Opens and reads regular files, and nothing else: no FIFO, socket or device can block the caller or be disturbed. */

import type { BigIntStats } from 'node:fs'
import { constants, lstat, open, type FileHandle } from 'node:fs/promises'
import { basename } from 'node:path'
import { FsError, type FsTarget } from '@deepseek-ai/dsh-fs'

/** Say they are regular files, and block or swallow what they give. */
const KERNEL_STREAMS: ReadonlySet<string> = new Set(['kmsg', 'trace_pipe', 'kcore'])
const CHUNK = 1 << 18

export interface OpenFile {
  handle: FileHandle
  stats: BigIntStats
}

/** Rejects with a system error, or `FS_NOT_REGULAR_FILE` naming what is there instead. The caller closes the handle. */
export async function openRegular({ targetKey, displayPath }: FsTarget): Promise<OpenFile> {
  // Opening a FIFO wakes its writer, opening a device may do anything: look before.
  refuseSpecial(await lstat(targetKey, { bigint: true }), targetKey, displayPath)
  const handle = await open(targetKey, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY)
  try {
    const stats = await handle.stat({ bigint: true })
    refuseSpecial(stats, targetKey, displayPath)
    return { handle, stats }
  } catch (error) {
    await handle.close()
    throw error
  }
}

function refuseSpecial(stats: BigIntStats, path: string, displayPath: string): void {
  const kernelStream = KERNEL_STREAMS.has(basename(path)) && /^\/(?:proc|sys)\//.test(path)
  if (stats.isFile() && !kernelStream) return
  throw new FsError('FS_NOT_REGULAR_FILE', `${displayPath} is a ${kernelStream ? 'stream of the kernel' : typeName(stats)}, not a regular file`)
}

/** In words. */
export function typeName(stats: Pick<BigIntStats, 'isDirectory' | 'isFIFO' | 'isSocket' | 'isCharacterDevice' | 'isBlockDevice' | 'isSymbolicLink'>): string {
  if (stats.isDirectory()) return 'directory'
  if (stats.isFIFO()) return 'named pipe (FIFO)'
  if (stats.isSocket()) return 'socket'
  if (stats.isCharacterDevice()) return 'character device'
  if (stats.isBlockDevice()) return 'block device'
  return stats.isSymbolicLink() ? 'symbolic link' : 'special file'
}

/** All bytes. A file that says it is empty, as those of /proc do, or that grew, is read to its end; `FS_TOO_LARGE` beyond `most`. */
export async function readAll({ handle, stats }: OpenFile, { most, displayPath, signal }: { most: number; displayPath: string; signal: AbortSignal }): Promise<Buffer> {
  if (stats.size > most) throw tooLarge(displayPath, Number(stats.size), most)
  let bytes = Buffer.allocUnsafe(Number(stats.size) + 1)
  let length = 0
  for (;;) {
    signal.throwIfAborted()
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length, null)
    if (bytesRead === 0) return bytes.subarray(0, length)
    length += bytesRead
    if (length > most) throw tooLarge(displayPath, length, most)
    if (length === bytes.length) bytes = Buffer.concat([bytes], Math.min(bytes.length * 2 + CHUNK, most + 1))
  }
}

function tooLarge(displayPath: string, size: number, most: number): FsError {
  return new FsError('FS_TOO_LARGE', `${displayPath} has ${size} bytes; the limit here is ${most}`, { details: { size } })
}

/** The bytes from the current position on, chunk by chunk. A chunk is valid until the next is asked for. */
export async function* readChunks({ handle }: OpenFile, signal: AbortSignal): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK)
  for (;;) {
    signal.throwIfAborted()
    const { bytesRead } = await handle.read(buffer, 0, CHUNK, null)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
  }
}
