/**
 * What has been said and done, as items in order. Whatever stands at the head
 * and will not change any more is handed to the screen for good; the rest is
 * drawn anew with each frame.
 */

import type { Component } from '@earendil-works/pi-tui'

/** One thing in the transcript. */
export interface TranscriptItem {
  /** Lines that will not change any more, each once; they stand above what `live` draws. */
  takeFinished(width: number): string[]
  /** What may still change. */
  live(width: number): string[]
  /** Nothing about it will change any more. */
  readonly isDone: boolean
}

export interface TranscriptScreen {
  readonly width: number
  /** Puts lines above the live part for good. */
  finish(lines: readonly string[]): void
  requestRender(): void
}

/** As often as an eye follows text; twice as often costs twice as much. */
const FRAME_MS = 40

export class Transcript implements Component {
  readonly #screen: TranscriptScreen
  readonly #items: TranscriptItem[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(screen: TranscriptScreen) {
    this.#screen = screen
  }

  add(item: TranscriptItem): void {
    this.#items.push(item)
    this.changed()
  }

  /** An item goes on changing: it is drawn a few dozen times a second, however often that is. */
  changing(): void {
    this.#timer ??= setTimeout(() => this.changed(), FRAME_MS)
  }

  /** An item has changed: what has become final goes up. */
  changed(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const { width } = this.#screen
    for (let head = this.#items[0]; head; head = this.#items[0]) {
      const lines = head.takeFinished(width)
      if (lines.length > 0) this.#screen.finish(lines)
      if (!head.isDone) break
      this.#items.shift()
    }
    this.#screen.requestRender()
  }

  render(width: number): string[] {
    return this.#items.flatMap(item => item.live(width))
  }

  /** Nothing is kept between frames. */
  invalidate(): void {
    this.#screen.requestRender()
  }
}
