/** What the model thinks: its last lines while it does, one line for all of it afterwards. */

import { wrapTextWithAnsi } from '@earendil-works/pi-tui'
import { plural, stripControls } from '@deepseek-ai/dsh-text'
import type { Theme } from '@deepseek-ai/dsh-terminal-view'
import type { TranscriptItem } from './transcript.ts'

const LIVE_LINES = 3

/** As much of the text as can fill the live lines of a wide screen. In UTF-16 units. */
const TAIL = 2_000

export class ReasoningItem implements TranscriptItem {
  isDone = false
  readonly #theme: Theme
  readonly #began = performance.now()
  #text = ''
  #took = 0
  #isTaken = false

  constructor(theme: Theme) {
    this.#theme = theme
  }

  get text(): string {
    return this.#text
  }

  push(text: string): void {
    this.#text += text
  }

  end(): void {
    if (this.isDone) return
    this.#took = performance.now() - this.#began
    this.isDone = true
  }

  takeFinished(width: number): string[] {
    if (!this.isDone || this.#isTaken) return []
    this.#isTaken = true
    if (this.#text.trim() === '') return []
    const lines = this.#text.trim().split('\n').length
    const note = `∴ thought for ${Math.max(1, Math.round(this.#took / 1000))} s (${plural(lines, 'line')}, Ctrl-O shows them)`
    return ['', ...wrapTextWithAnsi(this.#theme.dim(note), width)]
  }

  live(width: number): string[] {
    if (this.isDone) return []
    const tail = stripControls(this.#text.slice(-TAIL)).trim()
    const lines = wrapTextWithAnsi(tail, Math.max(1, width - 2)).slice(-LIVE_LINES)
    return ['', ...lines.map(line => this.#theme.dim(width > 2 ? `  ${line}` : line))]
  }
}
