/** An item that is complete when it comes: what the user said, a notice, the end of a turn. */

import { wrapTextWithAnsi } from '@earendil-works/pi-tui'
import type { TranscriptItem } from './transcript.ts'

export interface LinesOptions {
  /** Before the first line; the others are indented as far. */
  mark?: string
  /** A blank line stands before it. */
  isApart?: boolean
}

/** Wraps `text`, styled already, to whatever width the screen has. */
export class LinesItem implements TranscriptItem {
  isDone = false
  readonly #draw: (width: number) => string[]

  constructor(draw: (width: number) => string[]) {
    this.#draw = draw
  }

  static of(text: string, { mark = '', isApart = true }: LinesOptions = {}): LinesItem {
    return new LinesItem(width => [...(isApart ? [''] : []), ...wrapMarked(text, mark, width)])
  }

  takeFinished(width: number): string[] {
    if (this.isDone) return []
    this.isDone = true
    return this.#draw(width)
  }

  live(width: number): string[] {
    return this.isDone ? [] : this.#draw(width)
  }
}

/** `text` in lines of `width`; `mark` stands before the first. A screen that has no room for a mark goes without. */
export function wrapMarked(text: string, mark: string, width: number): string[] {
  const room = width - mark.length
  if (room < 1) return wrapTextWithAnsi(text, Math.max(1, width))
  return wrapTextWithAnsi(text, room).map((line, i) => (i === 0 ? mark : ' '.repeat(mark.length)) + line)
}
