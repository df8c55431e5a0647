/**
 * Keys that come too early for a question, or too late. What is typed right behind a command that asks for a
 * secret is meant for its question and waits for it; what comes right behind the answer, such as the second
 * line of a paste, is meant for nothing. Neither may reach the editor, where it would be seen and sent.
 */

import { matchesKey } from '@earendil-works/pi-tui'

/** What is pasted comes closer together, also from far away. */
const PAUSE_MS = 400

/** More than any secret has. What comes beyond is thrown away. */
const MOST_KEYS = 8192

const STOPPING = ['escape', 'ctrl+c', 'ctrl+d', 'ctrl+z'] as const

export interface Typing {
  handleInput(data: string): void
}

export class HeldKeys {
  #state: 'open' | 'holding' | 'dropping' = 'open'
  #keys: string[] = []
  #keyAt = -Infinity
  #onDropped: (() => void) | undefined

  /** Whether a question is about to come. */
  get isHolding(): boolean {
    return this.#state === 'holding'
  }

  /** From now on keys wait for a question; those that none has taken by the time of the returned call are thrown away. `onDropped` is called once when that happens to any. */
  hold(onDropped: () => void): () => void {
    this.#state = 'holding'
    this.#keys = []
    this.#onDropped = onDropped
    return () => {
      if (this.#state === 'holding' && this.#onDropped === onDropped) this.drop()
    }
  }

  /** True for a key that nobody else may have. Those that stop the command, the program, or its process are for everybody. */
  take(data: string, now = performance.now()): boolean {
    if (this.#state === 'open' || STOPPING.some(key => matchesKey(data, key))) return false
    const isLate = this.#state === 'dropping' && now - this.#keyAt >= PAUSE_MS
    this.#keyAt = now
    if (isLate) {
      this.#state = 'open'
      return false
    }
    if (this.#state === 'holding' && this.#keys.length < MOST_KEYS) this.#keys.push(data)
    else this.#tell()
    return true
  }

  /** Gives a question what waits for it, as long as it `isOpen`. */
  feed(question: Typing, isOpen: () => boolean): void {
    for (let key = this.#keys.shift(); key !== undefined; key = this.#keys.shift()) {
      question.handleInput(key)
      if (!isOpen()) return
    }
    // From here on the question takes its keys itself.
    this.#state = 'open'
  }

  /** The question is answered: until there is a pause, keys are thrown away. */
  drop(now = performance.now()): void {
    if (this.#keys.length > 0) this.#tell()
    this.#keys = []
    this.#keyAt = now
    this.#state = 'dropping'
  }

  #tell(): void {
    this.#onDropped?.()
    this.#onDropped = undefined
  }
}
