/**
 * Reads what ripgrep prints, piece by piece. The format, with `--null
 * --line-number --byte-offset --no-heading --no-context-separator`:
 *
 *     path NUL line ":" offset ":" text LF              a match
 *     path NUL line "-" offset "-" text LF              context
 *     path ": binary file matches (" … ")" LF           a match in a binary file
 *
 * With `--column` a match carries one more number before its offset. In place
 * of a text longer than `--max-columns` stands a notice in brackets. A path may
 * hold line breaks. `--json` is not used because it ignores `--max-columns`:
 * one minified file would be one record of any size.
 */

import { isUtf8 } from 'node:buffer'

export interface GrepLine {
  path: string
  /** From 1. */
  line: number
  /** Where the line starts in the file, in bytes, a byte order mark not counted. */
  offset: number
  isMatch: boolean
  /** From 1, in bytes; only with `--column`, only of matches. */
  column?: number
  /** Undefined where the line was too long to print. */
  text: string | undefined
}

export type GrepRecord = { kind: 'line'; line: GrepLine } | { kind: 'binary'; path: string }

const NUL = 0
const LF = 10
const OMITTED = /^\[Omitted long (?:matching line|context line|line with \d+ matches)\]$/
const BINARY = /^([\s\S]*): binary file matches \(found .*\)$/
/** A match with `--column`, and every other line. */
const THREE_NUMBERS = /^(\d+):(\d+):(\d+):/
const TWO_NUMBERS = /^(\d+)([:-])(\d+)\2/

export class GrepParser {
  readonly #columns: boolean
  #rest: Buffer = Buffer.alloc(0)

  /** `columns` says whether ripgrep was asked for them; the text alone cannot tell. */
  constructor({ columns = false } = {}) {
    this.#columns = columns
  }

  /** The records that `chunk` completes. */
  push(chunk: Buffer): GrepRecord[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const records: GrepRecord[] = []
    let start = 0
    for (let end = endOfRecord(bytes, start); end >= 0; end = endOfRecord(bytes, start)) {
      const record = parseRecord(bytes.subarray(start, end), this.#columns)
      if (record) records.push(record)
      start = end + 1
    }
    this.#rest = bytes.subarray(start)
    return records
  }
}

function endOfRecord(bytes: Buffer, start: number): number {
  const nul = bytes.indexOf(NUL, start)
  const lf = bytes.indexOf(LF, start)
  // A line break before the NUL is part of the path, unless the record is a notice, which has no NUL.
  if (lf >= 0 && (nul < 0 || lf < nul) && BINARY.test(withoutCr(bytes.subarray(start, lf)).toString())) return lf
  return nul < 0 ? -1 : bytes.indexOf(LF, nul)
}

function parseRecord(bytes: Buffer, columns: boolean): GrepRecord | undefined {
  const nul = bytes.indexOf(NUL)
  if (nul < 0) {
    const path = BINARY.exec(withoutCr(bytes).toString())?.[1]
    return path === undefined ? undefined : { kind: 'binary', path }
  }
  const numbers = readNumbers(bytes.subarray(nul + 1, nul + 80).toString('latin1'), columns)
  if (!numbers) return undefined
  const { length, ...rest } = numbers
  const text = decodeLine(withoutCr(bytes.subarray(nul + 1 + length)))
  return { kind: 'line', line: { path: bytes.subarray(0, nul).toString(), ...rest, text: OMITTED.test(text) ? undefined : text } }
}

function readNumbers(head: string, columns: boolean): (Omit<GrepLine, 'path' | 'text'> & { length: number }) | undefined {
  const three = columns ? THREE_NUMBERS.exec(head) : null
  if (three) return { line: Number(three[1]), column: Number(three[2]), offset: Number(three[3]), isMatch: true, length: three[0].length }
  const two = TWO_NUMBERS.exec(head)
  return two ? { line: Number(two[1]), offset: Number(two[3]), isMatch: two[2] === ':', length: two[0].length } : undefined
}

function withoutCr(bytes: Buffer): Buffer {
  return bytes.at(-1) === 13 ? bytes.subarray(0, -1) : bytes
}

/** Bytes that are not UTF-8 are read as Latin-1, so that no replacement character hides what they were. */
function decodeLine(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
}
