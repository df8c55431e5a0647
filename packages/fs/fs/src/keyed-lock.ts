/** Lets one piece of work at a time run per key, in the order of arrival. */

import { unlessAborted } from '@deepseek-ai/dsh-abort'

export class KeyedLock {
  readonly #tails = new Map<string, Promise<unknown>>()

  /** Runs `work` when all earlier work of the key has settled. Aborted while waiting, it rejects with the signal's reason and `work` never runs. */
  async run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key)
    const mine = this.#after(before, signal, work)
    const settled = mine.then(ignore, ignore)
    // Work that gives up waiting must not let the next one overtake what it waited for.
    const tail = before ? Promise.all([before, settled]) : settled
    this.#tails.set(key, tail)
    try {
      return await mine
    } finally {
      void tail.then(() => {
        if (this.#tails.get(key) === tail) this.#tails.delete(key)
      })
    }
  }

  async #after<T>(before: Promise<unknown> | undefined, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    if (before) await unlessAborted(before, signal)
    return await work()
  }
}

function ignore(): void {
  // Whoever cares has the outcome by another way; here it only matters that it is over.
}
