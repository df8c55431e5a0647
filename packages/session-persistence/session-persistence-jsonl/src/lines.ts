/**
 * The log as lines. Pure.
 *
 *     {"type":"session","version":1,"id":"…","createdAt":…,"cwd":"…"}     the header
 *     {"type":"turn/start","seq":0,"time":…,"data":{…}}                   one event a line
 *     {"type":"assistant/chunk","seq":7,"n":3,…}                          or a packed run of them (pack-chunks.ts, block-echo.ts)
 *
 * UTF-8, LF only, one JSON value a line; U+2028 and U+2029 are escaped, so that
 * no reader takes them for the end of a line. A reader that leaves out the
 * lines of type `assistant/chunk` sees the whole conversation.
 */

import { isAscii, isUtf8 } from 'node:buffer'
import { isDeepStrictEqual } from 'node:util'
import type { SessionEvent, SessionHeader } from '@deepseek-ai/dsh-session'
import { BlockEcho, faultOf, isPacked, packChunks, unpackChunks, type PackedChunks } from '@deepseek-ai/dsh-session-persistence'

const LF = 0x0a

export function headerLine(header: SessionHeader): string {
  return toLine({ type: 'session', ...header })
}

/** `echo` goes along with the log; hand in a fork of it and keep that when the lines are written. */
export function eventLines(events: readonly SessionEvent[], echo: BlockEcho): string {
  return packedLines(events.map(event => echo.write(event)))
}

/** Lines of events that `echo` has heard. */
export function packedLines(events: readonly SessionEvent[]): string {
  return packChunks(events).map(toLine).join('')
}

/** The header that the first line holds; undefined when it holds none. */
export function parseHeader(line: string): SessionHeader | undefined {
  const value = parseLine(line)
  if (typeof value !== 'object' || value === null) return undefined
  const { type, ...header } = value as Record<string, unknown>
  return type === 'session' && isHeader(header) ? header : undefined
}

/** Whether a parsed value has what every header has. */
export function isHeader(value: unknown): value is SessionHeader {
  if (typeof value !== 'object' || value === null) return false
  const { id, version, createdAt, cwd } = value as Record<string, unknown>
  return typeof id === 'string' && typeof version === 'number' && typeof createdAt === 'number' && (cwd === undefined || typeof cwd === 'string')
}

/** Hears of one line: what it holds, `undefined` when it cannot be read, and how many lines came before it. `false` ends the reading. */
export type VisitLine = (value: unknown, line: number) => boolean | void

/** Bytes that are decoded at a time: one piece of text for many lines keeps the collector out of the way. */
const BLOCK_BYTES = 1024 * 1024

/** Goes through the lines of `bytes` from `start` on; what follows the last line feed is none. */
export function scanLines(bytes: Buffer, start: number, visit: VisitLine): void {
  const end = bytes.lastIndexOf(LF) + 1
  let line = 0
  for (let at = start; at < end; ) {
    const cut = bytes.indexOf(LF, Math.min(at + BLOCK_BYTES, end) - 1) + 1
    const next = scanBlock(bytes.subarray(at, cut), line, visit)
    if (next === undefined) return
    line = next
    at = cut
  }
}

/** The number of the line behind the block; undefined when the reading was ended. */
function scanBlock(block: Buffer, first: number, visit: VisitLine): number | undefined {
  let line = first
  const encoding = isAscii(block) ? 'latin1' : isUtf8(block) ? 'utf8' : undefined
  if (encoding === undefined) {
    for (const bytes of linesOf(block)) if (visit(parseBytes(bytes), line++) === false) return undefined
    return line
  }
  const text = block.toString(encoding)
  for (let at = 0, end = text.indexOf('\n'); end >= 0; at = end + 1, end = text.indexOf('\n', at)) {
    if (visit(parseLine(text.slice(at, end)), line++) === false) return undefined
  }
  return line
}

/** The lines of a piece that ends where a line does. */
export function* linesOf(block: Buffer): Iterable<Buffer> {
  for (let start = 0, end = block.indexOf(LF); end >= 0; end = block.indexOf(LF, start)) {
    yield block.subarray(start, end)
    start = end + 1
  }
}

/** The byte where a line begins, the one at `start` being number 0. */
export function offsetOf(bytes: Buffer, start: number, line: number): number {
  let at = start
  for (let n = 0; n < line; n++) at = bytes.indexOf(LF, at) + 1
  return at
}

/** Where the bytes that end without a line feed begin; undefined when there are none. */
export function tornFrom(bytes: Buffer, start: number): number | undefined {
  const end = Math.max(start, bytes.lastIndexOf(LF) + 1)
  return end < bytes.length ? end : undefined
}

/** What lines hold: an event each, or the events of a packed run. */
export interface ReadLines {
  /** As they were appended; `undefined` for what cannot be read. */
  values: unknown[]
  /** Byte offset where each value's line begins; a packed run shares one. */
  offsets: number[]
  /** Where the bytes that end without a line feed begin; undefined when there are none. */
  torn?: number
}

/** `bytes` from `start` on. `restore` goes along with the log. */
export function readLines(bytes: Buffer, start: number, restore: Restore = restorer()): ReadLines {
  const values: unknown[] = []
  const offsets: number[] = []
  let at = start
  scanLines(bytes, start, value => {
    for (const each of isPacked(value) ? unpack(value) : [value]) {
      values.push(restore(each))
      offsets.push(at)
    }
    at = bytes.indexOf(LF, at) + 1
  })
  const torn = tornFrom(bytes, start)
  return { values, offsets, ...(torn !== undefined && { torn }) }
}

/** Takes the records of one log in their order; gives them as they were appended. */
export type Restore = (value: unknown) => unknown

/** Puts the text of a block back where only a mark of it is stored; a record that stands there twice is restored twice. */
export function restorer(): Restore {
  const echo = new BlockEcho()
  let next = 0
  let last: { raw: unknown; restored: unknown } | undefined
  return raw => {
    if (faultOf(raw, next) !== undefined) return last && isDeepStrictEqual(raw, last.raw) ? last.restored : raw
    next++
    last = { raw, restored: echo.read(raw as SessionEvent) }
    return last.restored
  }
}

function unpack(packed: PackedChunks): readonly unknown[] {
  return unpackChunks(packed) ?? [undefined]
}

/** Bytes that are no UTF-8 were not written by this program: decoding would silently change them. */
function parseBytes(line: Buffer): unknown {
  return isUtf8(line) ? parseLine(line.toString('utf8')) : undefined
}

/** Undefined for what is no JSON. */
export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** One line, whatever reads it. */
export function toLine(value: object): string {
  return `${JSON.stringify(value).replace(/[\u2028\u2029]/g, escapeSeparator)}\n`
}

function escapeSeparator(character: string): string {
  return character === '\u2028' ? '\\u2028' : '\\u2029'
}
