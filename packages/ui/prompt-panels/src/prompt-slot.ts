/** Where the user types: the editor, or a question that has to be answered first. */

import { Container, isKeyRelease, type Component, type Focusable } from '@earendil-works/pi-tui'
import { unlessAborted } from '@deepseek-ai/dsh-abort'
import type { InlineScreen } from '@deepseek-ai/dsh-terminal-view'

type Part = Component & Focusable

/** So long no key is pressed before a question appears that nobody asked for: a letter that was meant for a message answers none. */
const PAUSE_MS = 400

/** A letter, or Enter. */
const TYPED = /^(?:[^\p{Cc}]|\r)$/u

export class PromptSlot extends Container {
  readonly #screen: InlineScreen
  readonly #editor: Part
  #panel: Part | undefined
  #keyAt = -Infinity
  #closedAt = -Infinity
  /** Between two questions in a row: what is typed was meant for one of them. */
  #isBetween = false
  /** Settles when the panel before is gone: nothing changes under the user's fingers. */
  #free: Promise<void> = Promise.resolve()

  constructor(screen: InlineScreen, editor: Part) {
    super()
    this.#screen = screen
    this.#editor = editor
    screen.addInputListener(data => {
      if (!isKeyRelease(data)) this.#keyAt = performance.now()
      return this.#isBetween && TYPED.test(data) ? { consume: true } : undefined
    })
    this.#place(editor)
  }

  get isAsking(): boolean {
    return this.#panel !== undefined
  }

  /**
   * Shows a question until it is answered or `signal` is aborted; then the editor is back, as it was.
   * One that `isUnasked`, which the user did not call for, waits for a pause between keys.
   */
  async ask<T>(open: (answer: (value: T) => void) => Part, signal: AbortSignal, { isUnasked = false } = {}): Promise<T> {
    signal.throwIfAborted()
    const before = this.#free
    const { promise: over, resolve: release } = Promise.withResolvers<void>()
    this.#free = before.then(() => over)
    try {
      await unlessAborted(before, signal)
      if (isUnasked) await this.#pause(signal)
      return await this.#show(open, signal)
    } finally {
      this.#isBetween = false
      release()
    }
  }

  async #pause(signal: AbortSignal): Promise<void> {
    this.#isBetween = performance.now() - this.#closedAt < PAUSE_MS
    for (let left = this.#pauseLeft(); left > 0; left = this.#pauseLeft()) await unlessAborted(new Promise(resolve => setTimeout(resolve, left)), signal)
  }

  #pauseLeft(): number {
    return PAUSE_MS - (performance.now() - this.#keyAt)
  }

  async #show<T>(open: (answer: (value: T) => void) => Part, signal: AbortSignal): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<T>()
    this.#isBetween = false
    this.#panel = open(resolve)
    this.#place(this.#panel)
    try {
      return await unlessAborted(promise, signal)
    } finally {
      this.#panel = undefined
      this.#closedAt = performance.now()
      this.#place(this.#editor)
    }
  }

  #place(part: Part): void {
    this.clear()
    this.addChild(part)
    this.#screen.setFocus(part)
    this.#screen.requestRender()
  }
}
