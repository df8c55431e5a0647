/** Reads the part of an overlong line that surrounds a match, straight from the file. */

import { open, type FileHandle } from 'node:fs/promises'

const LF = 10
/** The end of a line is looked for this far, so that its length can be told. */
const FARTHEST = 1024 * 1024

export interface Excerpt {
  text: string
  /** Bytes of the line on either side that are not in `text`. */
  before: number
  after: number
  /** The line's end was not reached: `after` is a lower bound. */
  open: boolean
}

export interface ExcerptPlace {
  /** Where the line starts, in bytes, a byte order mark not counted. */
  offset: number
  /** Where in the line the match starts, in bytes. */
  column: number
  /** How many bytes to show. */
  length: number
}

/**
 * Starts a third of `length` before the match. Undefined when the file is
 * not UTF-8 by its byte order mark, or has changed so that nothing is there.
 * Both cuts fall on code points.
 */
export async function readExcerpt(path: string, place: ExcerptPlace): Promise<Excerpt | undefined> {
  await using file = await open(path, 'r')
  const mark = await readAt(file, 0, 3)
  if (mark[0] === 0xff || mark[0] === 0xfe) return undefined
  const base = place.offset + (mark.equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0)
  const before = Math.max(0, place.column - Math.floor(place.length / 3))
  const read = await readAt(file, base + before, place.length + FARTHEST)
  if (read.length === 0) return undefined
  const lf = read.indexOf(LF)
  const line = lf < 0 ? read : read.subarray(0, read[lf - 1] === 13 ? lf - 1 : lf)
  const [from, to] = codePointRange(line, before > 0, place.length)
  return { text: line.subarray(from, to).toString(), before: before + from, after: line.length - to, open: lf < 0 && read.length === place.length + FARTHEST }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

/** The part of the first `most` bytes that holds whole code points only. */
function codePointRange(bytes: Buffer, cutBefore: boolean, most: number): [from: number, to: number] {
  let from = 0
  while (cutBefore && from < 3 && isContinuation(bytes[from])) from++
  let to = Math.min(most, bytes.length)
  while (to > most - 4 && to > from && isContinuation(bytes[to])) to--
  return [from, to]
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}
