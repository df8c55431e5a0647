/** Hands prompts on in the order in which they came, although it takes time to find out what some of them are. */

export class Intake {
  #last: Promise<void> = Promise.resolve()
  #inside = 0

  /** Somebody has entered, or waits to. */
  get isBusy(): boolean {
    return this.#inside > 0
  }

  /** Resolves when all who came before have left, with what has to be called to leave. */
  async enter(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = this.#last
    this.#last = promise
    this.#inside++
    await before
    return () => {
      this.#inside--
      resolve()
    }
  }
}
