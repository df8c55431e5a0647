/** What is asked of the user at the same time, and which question's turn it is. */

/** What is said about a line by whoever takes it, before anything else happens. */
export interface AskOptions {
  /** All others that are asked go first. */
  waits?: boolean
  /** What is typed behind it is meant for a hidden question that is about to be asked. Default: it is not. */
  precedesSecret?(line: string): boolean
  /** It is not to come back by a key. Default: it does. */
  isPrivate?(line: string): boolean
}

export interface Question extends AskOptions {
  /** The last line of it, which stays with what is typed. */
  prompt: string
  isHidden: boolean
  signal: AbortSignal
  /** Undefined when a hidden question was given up. */
  resolve(line: string | undefined): void
  reject(reason: unknown): void
}

export class Questions {
  /** The last one is asked now. */
  readonly #asked: Question[] = []

  /** The one that is asked now. */
  get top(): Question | undefined {
    return this.#asked.at(-1)
  }

  add(question: Question): void {
    if (question.waits) this.#asked.unshift(question)
    // What is being typed unseen must not become the answer to something else.
    else if (this.top?.isHidden) this.#asked.splice(-1, 0, question)
    else this.#asked.push(question)
  }

  /** False when it was not there any more. */
  remove(question: Question): boolean {
    const at = this.#asked.indexOf(question)
    if (at >= 0) this.#asked.splice(at, 1)
    return at >= 0
  }

  takeTop(): Question | undefined {
    return this.#asked.pop()
  }

  takeAll(): Question[] {
    return this.#asked.splice(0)
  }
}
