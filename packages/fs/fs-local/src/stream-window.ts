/** Finds a window of lines in a file that is too big to hold: reads it once, keeps only what is asked for. */

import { isUtf8 } from 'node:buffer'
import type { FileTextLine, ReadWindow, TextFormat } from '@deepseek-ai/dsh-fs'
import { cutLine, LineTaker, type Window } from './line-window.ts'

const LF = 10
const CR = 13
/** No UTF-16 unit takes more bytes of UTF-8. */
const BYTES_PER_UNIT = 3

export interface StreamBounds extends ReadWindow {
  /** Stop counting the lines after the window when so many bytes were read. */
  maxScanBytes: number
}

/** The window, and whether all lines in it are valid UTF-8: the others are decoded as Latin-1. */
export async function streamWindow(chunks: AsyncIterable<Buffer>, bounds: StreamBounds): Promise<Window & { format: TextFormat }> {
  const scanner = new LineScanner(bounds)
  let scanned = 0
  let ended = true
  for await (const chunk of chunks) {
    scanner.push(chunk, scanned === 0)
    scanned += chunk.length
    if (scanner.satisfied && scanned > bounds.maxScanBytes) {
      ended = false
      break
    }
  }
  return scanner.finish(ended)
}

class LineScanner {
  /** Number of the line that is being read. */
  private number = 1
  private pieces: Buffer[] = []
  private kept = 0
  private dropped = 0
  private lineBytes = 0
  private bom = false
  private valid = true
  private readonly taker: LineTaker
  private readonly bounds: StreamBounds

  constructor(bounds: StreamBounds) {
    this.bounds = bounds
    this.taker = new LineTaker(bounds)
  }

  get satisfied(): boolean {
    return !this.taker.open
  }

  push(chunk: Buffer, first: boolean): void {
    this.bom ||= first && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf
    let at = first && this.bom ? 3 : 0
    for (let newline = chunk.indexOf(LF, at); newline >= 0; newline = chunk.indexOf(LF, at)) {
      this.collect(chunk, at, newline)
      this.endLine()
      at = newline + 1
    }
    this.collect(chunk, at, chunk.length)
  }

  finish(ended: boolean): Window & { format: TextFormat } {
    const finalNewline = this.lineBytes === 0
    if (ended && !finalNewline) this.endLine()
    const totalLines = ended ? this.number - 1 : undefined
    const { lines, full } = this.taker
    const last = lines.at(-1)?.number ?? totalLines ?? 0
    return {
      lines,
      totalLines,
      more: totalLines === undefined || last < totalLines,
      ...(full && { truncatedByBytes: true }),
      finalNewline: ended ? finalNewline : undefined,
      format: this.valid ? { encoding: 'utf-8', bom: this.bom } : { encoding: 'iso-8859-1', bom: false, guessed: true },
    }
  }

  private collect(chunk: Buffer, from: number, to: number): void {
    this.lineBytes += to - from
    if (this.number < this.bounds.offset || !this.taker.open) return
    const room = Math.max(0, (this.bounds.maxLineLength + 2) * BYTES_PER_UNIT - this.kept)
    const end = Math.min(to, from + room)
    // The chunk's memory is used again for the next one.
    if (end > from) this.pieces.push(Buffer.from(chunk.subarray(from, end)))
    this.kept += Math.max(0, end - from)
    this.dropped += to - Math.max(end, from)
  }

  private endLine(): void {
    if (this.number >= this.bounds.offset && this.taker.open) this.taker.take(this.decodeLine())
    this.number++
    this.pieces = []
    this.kept = this.dropped = this.lineBytes = 0
  }

  private decodeLine(): FileTextLine {
    const all = Buffer.concat(this.pieces)
    const end = this.dropped === 0 && all.at(-1) === CR ? all.length - 1 : all.length
    const bytes = all.subarray(0, this.dropped > 0 ? wholeCharacters(all) : end)
    const valid = isUtf8(bytes)
    this.valid &&= valid
    return cutLine(this.number, bytes.toString(valid ? 'utf8' : 'latin1'), this.bounds.maxLineLength, this.dropped)
  }
}

/** Length without a character at the end that is not complete. */
function wholeCharacters(bytes: Buffer): number {
  let start = bytes.length - 1
  while (start > 0 && start > bytes.length - 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--
  const lead = bytes[start] ?? 0
  const needed = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  return start + needed <= bytes.length ? bytes.length : start
}
