/** Lets one piece of work at a time run per key, in the order of arrival. */

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
    if (before) await untilAborted(before, signal)
    return await work()
  }
}

/** `promise`, or the signal's reason if that comes first. What the promise does afterwards is nobody's business any more. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  // Nobody else may look at it any more, and a rejection without a reader ends the process.
  promise.catch(ignore)
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

function ignore(): void {
  // Whoever cares has the outcome by another way; here it only matters that it is over.
}
