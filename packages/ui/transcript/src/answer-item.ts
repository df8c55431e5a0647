/** An answer of the model while it is written: complete parts go up as they come, the last one is live. */

import { MarkdownSplitter, renderPart, type MarkdownPart, type PartStyle } from '@deepseek-ai/dsh-terminal-view'
import type { TranscriptItem } from './transcript.ts'

/** More of an unfinished part is not drawn: a screen has no more rows. */
const MOST_LIVE_LINES = 200

export class AnswerItem implements TranscriptItem {
  #hasEnded = false
  readonly #style: PartStyle
  readonly #splitter = new MarkdownSplitter()
  #finished: MarkdownPart[] = []
  #hasBegun = false
  #lastKind: MarkdownPart['kind'] | undefined
  #drawn: { width: number; lines: string[] } | undefined

  /** `onReady` is called when what had come before could be drawn is to be drawn anew. */
  constructor(style: PartStyle, onReady: () => void) {
    this.#style = style
    const { markdown } = style
    if (!markdown.isSettled) void markdown.load().then(() => this.#redraw(onReady))
  }

  /** Before it can be drawn for good, nothing of it is. */
  get isDone(): boolean {
    return this.#hasEnded && this.#style.markdown.isSettled
  }

  push(text: string): void {
    this.#finished.push(...this.#splitter.push(text))
    this.#drawn = undefined
    if (this.#splitter.rest?.kind === 'code') void this.#style.highlighter.load()
  }

  end(): void {
    if (this.#hasEnded) return
    this.#finished.push(...this.#splitter.end())
    this.#drawn = undefined
    this.#hasEnded = true
  }

  takeFinished(width: number): string[] {
    if (!this.#style.markdown.isSettled) return []
    const parts = this.#finished
    this.#finished = []
    if (parts.length > 0) this.#drawn = undefined
    return parts.flatMap(part => this.#spaced(part, width, true))
  }

  live(width: number): string[] {
    if (this.#drawn?.width !== width) {
      const { rest } = this.#splitter
      const parts = rest ? [...this.#finished, rest] : this.#finished
      this.#drawn = { width, lines: parts.flatMap(part => this.#spaced(part, width, false)).slice(-MOST_LIVE_LINES) }
    }
    return this.#drawn.lines
  }

  #redraw(onReady: () => void): void {
    this.#drawn = undefined
    onReady()
  }

  /** A blank line stands before each part, but not inside a block of code. */
  #spaced(part: MarkdownPart, width: number, isFinal: boolean): string[] {
    const lines = renderPart(part, width, this.#style)
    const goesOn = this.#hasBegun && part.kind === 'code' && part.before !== '' && this.#lastKind === 'code'
    if (isFinal) {
      this.#hasBegun = true
      this.#lastKind = part.kind
    }
    return lines.length === 0 ? [] : goesOn ? lines : ['', ...lines]
  }
}
