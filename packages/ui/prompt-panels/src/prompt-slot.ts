/** Where the user types: the editor, or a question that has to be answered first. */

import { Container, isKeyRelease, type Component, type Focusable } from '@earendil-works/pi-tui'
import { unlessAborted } from '@deepseek-ai/dsh-abort'
import type { InlineScreen } from '@deepseek-ai/dsh-terminal-view'
import { HeldKeys } from './held-keys.ts'

type Part = Component & Focusable

/** So long no key is pressed before a question appears that nobody asked for: a letter that was meant for a message answers none. */
const PAUSE_MS = 400

/** A letter, or Enter. */
const TYPED = /^(?:[^\p{Cc}]|\r)$/u

export interface AskOptions {
  /** The user did not call for it: it waits for a pause between keys, and for a question that was called for. */
  isUnasked?: boolean
  /** It gets the keys that `holdKeys` has kept, and what is typed right behind its answer is thrown away. */
  isSecret?: boolean
}

export class PromptSlot extends Container {
  readonly #screen: InlineScreen
  readonly #editor: Part
  readonly #held = new HeldKeys()
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

  /** From now on keys wait for a question that `isSecret`, until the returned call; see `HeldKeys`. */
  holdKeys(onDropped: () => void): () => void {
    return this.#held.hold(onDropped)
  }

  /** True for a key that is kept, or thrown away, and reaches no part. */
  keepsKey(data: string): boolean {
    return this.#held.take(data)
  }

  /** Shows a question until it is answered or `signal` is aborted; then the editor is back, as it was. */
  async ask<T>(open: (answer: (value: T) => void) => Part, signal: AbortSignal, { isUnasked = false, isSecret = false }: AskOptions = {}): Promise<T> {
    signal.throwIfAborted()
    for (;;) {
      if (isUnasked) await this.#pause(signal)
      const before = this.#free
      const { promise: over, resolve: release } = Promise.withResolvers<void>()
      this.#free = before.then(() => over)
      try {
        await unlessAborted(before, signal)
        // Who waits for a pause is in nobody's way.
        if (isUnasked && this.#pauseLeft() > 0) continue
        return await this.#show(open, signal, isSecret)
      } finally {
        this.#isBetween = false
        release()
      }
    }
  }

  async #pause(signal: AbortSignal): Promise<void> {
    this.#isBetween = performance.now() - this.#closedAt < PAUSE_MS
    for (let left = this.#pauseLeft(); left > 0; left = this.#pauseLeft()) await unlessAborted(new Promise(resolve => setTimeout(resolve, left)), signal)
  }

  #pauseLeft(): number {
    return this.#held.isHolding ? PAUSE_MS : PAUSE_MS - (performance.now() - this.#keyAt)
  }

  async #show<T>(open: (answer: (value: T) => void) => Part, signal: AbortSignal, isSecret: boolean): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<T>()
    let isOpen = true
    const panel = open(value => {
      isOpen = false
      // At once: what follows may come in the same piece of input.
      if (isSecret && value !== undefined) this.#held.drop()
      resolve(value)
    })
    this.#isBetween = false
    this.#panel = panel
    this.#place(panel)
    if (isSecret) this.#held.feed({ handleInput: key => panel.handleInput?.(key) }, () => isOpen)
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
