/** When the output of running calls is shown: soon after it comes, and not more often than a client can bear. */

/** Between two updates of one call. */
const PAUSE_MS = 250

export class OutputProgress {
  readonly #show: (callId: string) => void
  readonly #timers = new Map<string, NodeJS.Timeout>()

  constructor(show: (callId: string) => void) {
    this.#show = show
  }

  /** There is something new. */
  touch(callId: string): void {
    if (this.#timers.has(callId)) return
    this.#timers.set(callId, setTimeout(() => {
      this.#timers.delete(callId)
      this.#show(callId)
    }, PAUSE_MS))
  }

  /** The result takes the place of what has not been shown yet. */
  end(callId: string): void {
    clearTimeout(this.#timers.get(callId))
    this.#timers.delete(callId)
  }

  close(): void {
    for (const callId of this.#timers.keys()) this.end(callId)
  }
}
