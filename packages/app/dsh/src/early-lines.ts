/** Lines that are told before there is a front door: written at once, or held for one that has a screen of its own. */

export class EarlyLines implements Disposable {
  readonly #stderr: NodeJS.WritableStream
  readonly #held: string[] = []
  #write: ((text: string) => void) | undefined

  constructor(stderr: NodeJS.WritableStream, isHeld: boolean) {
    this.#stderr = stderr
    if (!isHeld) this.#write = text => void stderr.write(text)
  }

  tell(text: string): void {
    if (this.#write) this.#write(text)
    else this.#held.push(text)
  }

  /** Hands over what is held, and whatever is told from now on. */
  passTo(write: (text: string) => void): void {
    this.#write = write
    for (const text of this.#held.splice(0)) write(text)
  }

  /** No front door came: what is held is written all the same. */
  [Symbol.dispose](): void {
    this.passTo(text => void this.#stderr.write(text))
  }
}
