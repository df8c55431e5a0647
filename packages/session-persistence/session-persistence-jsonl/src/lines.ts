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

import { isUtf8 } from 'node:buffer'
import { isDeepStrictEqual } from 'node:util'
import type { SessionEvent, SessionHeader } from '@deepseek-ai/dsh-session'
import { BlockEcho, faultOf, isPacked, packChunks, unpackChunks, type PackedChunks, type StoredRecord } from '@deepseek-ai/dsh-session-persistence'

const LF = 0x0a

export function headerLine(header: SessionHeader): string {
  return toLine({ type: 'session', ...header })
}

/** `echo` goes along with the log; hand in a fork of it and keep that when the lines are written. */
export function eventLines(events: readonly SessionEvent[], echo: BlockEcho): string {
  return packChunks(events.map(event => echo.write(event))).map(toLine).join('')
}

/** The header that the first line holds; undefined when it holds none. */
export function parseHeader(line: string): SessionHeader | undefined {
  const value = parseLine(line)
  if (typeof value !== 'object' || value === null) return undefined
  const { type, ...header } = value as Record<string, unknown>
  const isHeader = type === 'session' && typeof header.id === 'string' && typeof header.version === 'number' && typeof header.createdAt === 'number' && (header.cwd === undefined || typeof header.cwd === 'string')
  return isHeader ? (header as unknown as SessionHeader) : undefined
}

/** The lines behind the header, with what each holds. */
export interface ReadLines {
  records: StoredRecord[]
  /** Byte offset where each record's line begins; a packed run shares one. */
  offsets: number[]
  /** Where the bytes that end without a line feed begin; undefined when there are none. */
  torn?: number
}

/** `bytes` from `start` on, the first line being number `line` of the file. `restore` goes along with the log. */
export function readLines(bytes: Buffer, start: number, line: number, restore: Restore = restorer()): ReadLines {
  const records: StoredRecord[] = []
  const offsets: number[] = []
  // Asked once for all of it: most logs are sound.
  const isText = isUtf8(bytes)
  let at = start
  for (let number = line; at < bytes.length; number++) {
    const end = bytes.indexOf(LF, at)
    if (end < 0) return { records, offsets, torn: at }
    const value = parseBytes(bytes, at, end, isText)
    for (const each of isPacked(value) ? unpack(value) : [value]) {
      records.push(new LineRecord(restore(each), number))
      offsets.push(at)
    }
    at = end + 1
  }
  return { records, offsets }
}

/** Says its place only when asked: there are as many as events, and hardly one is ever asked. */
class LineRecord implements StoredRecord {
  readonly value: unknown
  private readonly line: number

  constructor(value: unknown, line: number) {
    this.value = value
    this.line = line
  }

  get place(): string {
    return `line ${this.line}`
  }
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

function unpack(packed: PackedChunks): unknown[] {
  return unpackChunks(packed) ?? [undefined]
}

/** Bytes that are no UTF-8 were not written by this program: decoding would silently change them. */
function parseBytes(bytes: Buffer, start: number, end: number, isText: boolean): unknown {
  return isText || isUtf8(bytes.subarray(start, end)) ? parseLine(bytes.toString('utf8', start, end)) : undefined
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

function toLine(value: object): string {
  return `${JSON.stringify(value).replace(/[\u2028\u2029]/g, escapeSeparator)}\n`
}

function escapeSeparator(character: string): string {
  return character === '\u2028' ? '\\u2028' : '\\u2029'
}
