/** Cuts a window of lines out of a text that is in memory. Pure. */

import type { FileTextLine, FsLines, ReadWindow } from '@deepseek-ai/dsh-fs'
import { clipEnd } from '@deepseek-ai/dsh-text'

export type Window = Pick<FsLines, 'lines' | 'totalLines' | 'more' | 'truncatedByBytes' | 'finalNewline'>

/** Empty `lines` when the text ends before `offset`. A line end is `\n` or `\r\n`; what follows the last one is a line only if it is not empty. */
export function windowOf(text: string, { offset, limit, maxBytes, maxLineLength }: ReadWindow): Window {
  const taker = new LineTaker({ limit, maxBytes })
  let number = 0
  let at = 0
  while (at < text.length) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    number++
    if (number >= offset && taker.open) taker.take(cutLine(number, withoutCr(text, at, end), maxLineLength))
    at = end + 1
  }
  const last = taker.lines.at(-1)?.number ?? number
  return {
    lines: taker.lines,
    totalLines: number,
    more: last < number,
    ...(taker.full && { truncatedByBytes: true }),
    finalNewline: text.endsWith('\n'),
  }
}

/** Takes lines until there are enough, or they are too big. */
export class LineTaker {
  readonly lines: FileTextLine[] = []
  /** The last line offered did not fit. */
  full = false
  private bytes = 0
  private readonly bounds: Pick<ReadWindow, 'limit' | 'maxBytes'>

  constructor(bounds: Pick<ReadWindow, 'limit' | 'maxBytes'>) {
    this.bounds = bounds
  }

  get open(): boolean {
    return !this.full && this.lines.length < this.bounds.limit
  }

  take(line: FileTextLine): void {
    const bytes = Buffer.byteLength(line.text) + 1
    this.full = this.lines.length > 0 && this.bytes + bytes > this.bounds.maxBytes
    if (this.full) return
    this.bytes += bytes
    this.lines.push(line)
  }
}

/** Cut at a code point; `more` units are missing already. Half a character that the file itself holds is replaced, because no request could carry it. */
export function cutLine(number: number, line: string, most: number, more = 0): FileTextLine {
  const text = clipEnd(line, most)
  const cut = line.length - text.length + more
  return { number, text: text.toWellFormed(), ...(cut > 0 && { cut }) }
}

function withoutCr(text: string, start: number, end: number): string {
  return text.slice(start, end > start && text.charCodeAt(end - 1) === 13 ? end - 1 : end)
}
