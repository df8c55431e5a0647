/** Where the user types: the editor, or a question that has to be answered first. */

import { Container, type Component, type Focusable } from '@earendil-works/pi-tui'
import type { InlineScreen } from '@deepseek-ai/dsh-terminal-view'

type Part = Component & Focusable

export class PromptSlot extends Container {
  readonly #screen: InlineScreen
  readonly #editor: Part
  #panel: Part | undefined

  constructor(screen: InlineScreen, editor: Part) {
    super()
    this.#screen = screen
    this.#editor = editor
    this.#place(editor)
  }

  get isAsking(): boolean {
    return this.#panel !== undefined
  }

  /** Shows a question until it is answered or `signal` is aborted; then the editor is back, as it was. */
  async ask<T>(open: (answer: (value: T) => void) => Part, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const onAbort = (): void => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    const panel = open(resolve)
    this.#panel = panel
    this.#place(panel)
    try {
      return await promise
    } finally {
      signal.removeEventListener('abort', onAbort)
      if (this.#panel === panel) {
        this.#panel = undefined
        this.#place(this.#editor)
      }
    }
  }

  #place(part: Part): void {
    this.clear()
    this.addChild(part)
    this.#screen.setFocus(part)
    this.#screen.requestRender()
  }
}
