/** Gathers output while it comes, so that whoever watches hears of it a few times a second and not of every write. */

/** A screen shows no more in one go. In UTF-16 units. */
const MOST = 16_384

const EVERY_MS = 100

export class LiveOutput implements Disposable {
  readonly #tell: (text: string) => void
  #waiting = ''
  #timer: NodeJS.Timeout | undefined

  constructor(tell: (text: string) => void) {
    this.#tell = tell
  }

  /** Of more than a screen can show between two tellings, the end is told. */
  push(text: string): void {
    this.#waiting += text
    if (this.#waiting.length > 2 * MOST) this.#waiting = this.#waiting.slice(-MOST)
    this.#timer ??= setTimeout(() => this.#flush(), EVERY_MS)
  }

  /** What is still waiting is not told: the result follows. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
  }

  #flush(): void {
    this.#timer = undefined
    const text = this.#waiting.slice(-MOST)
    this.#waiting = ''
    this.#tell(text)
  }
}
