/** Text for reading: exact where that is possible, else under a guessed encoding that is named, else an error that says what the file is. */

import { FsError, type FsLines, type FsTarget, type FsVersion, type ReadWindow } from '@deepseek-ai/dsh-fs'
import { decodeForeign, sniffMediaType } from './foreign-bytes.ts'
import { windowOf } from './line-window.ts'
import { decodeText, markedFormat, type DecodedText } from './text-codec.ts'

/** Rejects with `FS_NOT_TEXT` for binaries. */
export async function decodeAny(bytes: Buffer, target: FsTarget): Promise<DecodedText> {
  const decoded = decodeText(bytes) ?? (sniffMediaType(bytes) === undefined ? await decodeForeign(bytes) : undefined)
  if (decoded) return decoded
  throw notText(bytes, target, bytes.length)
}

/** Judges a file that is too big to decode by its first bytes. */
export function refuseBinary(head: Buffer, target: FsTarget, size: number): void {
  const encoding = markedFormat(head)?.encoding ?? 'utf-8'
  if (encoding !== 'utf-8') throw new FsError('FS_TOO_LARGE', `${target.displayPath} is ${encoding} text of ${size} bytes, too large to decode; convert it with iconv first`, { details: { size } })
  if (head.includes(0) || sniffMediaType(head) !== undefined) throw notText(head, target, size)
}

export function notText(bytes: Buffer, { displayPath }: FsTarget, size: number): FsError {
  const mediaType = sniffMediaType(bytes)
  return new FsError('FS_NOT_TEXT', `${displayPath} is not text: a binary file of ${size} bytes${mediaType ? ` (${mediaType})` : ''}`, { details: { size, ...(mediaType && { mediaType }) } })
}

/** The window of a file whose bytes are all here. */
export async function linesOf(bytes: Buffer, { target, window, version }: { target: FsTarget; window: ReadWindow; version: FsVersion }): Promise<FsLines> {
  const { text, format } = await decodeAny(bytes, target)
  const found = windowOf(text, window)
  if (found.lines.length === 0 && (found.totalLines !== 0 || window.offset > 1)) throw beyondEnd(target, window.offset, found.totalLines)
  return { ...found, format, version, size: bytes.length }
}

export function beyondEnd({ displayPath }: FsTarget, offset: number, totalLines: number | undefined): FsError {
  return new FsError('FS_BEYOND_END', `${displayPath} has ${totalLines ?? 'fewer'} line${totalLines === 1 ? '' : 's'}; line ${offset} is after its end`)
}
