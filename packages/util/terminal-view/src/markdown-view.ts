/** Draws Markdown once what reads it is loaded; until then, and where it cannot be, the text as it is written. */

import { wrapTextWithAnsi } from '@earendil-works/pi-tui'
import { stripControls } from '@deepseek-ai/dsh-text'
import type { PartStyle } from './render-part.ts'

export class MarkdownView {
  #draw: ((text: string, width: number, style: PartStyle) => string[]) | undefined
  #loading: Promise<void> | undefined
  #isSettled = false
  /** Why it could not be loaded; then text stays plain. */
  failure: unknown

  /** Whether what is drawn now is drawn as well as it ever will be. */
  get isSettled(): boolean {
    return this.#isSettled
  }

  /** Once. Never rejects. */
  async load(): Promise<void> {
    this.#loading ??= import('./draw-markdown.ts').then(({ drawMarkdown }) => {
      this.#draw = drawMarkdown
    }, (error: unknown) => {
      this.failure = error
    }).then(() => {
      this.#isSettled = true
    })
    await this.#loading
  }

  /** No line is wider than `width`, which is at least 1; control sequences in the text are left out. */
  lines(text: string, width: number, style: PartStyle): string[] {
    return this.#draw?.(text, width, style) ?? wrapTextWithAnsi(stripControls(text).trim(), width)
  }
}
