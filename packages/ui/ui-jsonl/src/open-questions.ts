/** The questions that wait for an answer of the script, each under its id: an answer never reaches another one. */

import { InputError } from './input-error.ts'

/** Makes an answer of what the script said; throws `InputError` when it means nothing. */
export type ReadAnswer<A> = (given: unknown) => A

interface OpenQuestion {
  kind: string
  settle(given: unknown): void
  abandon(): void
}

/** How a question is put. */
export interface Question<A> {
  id: string
  /** What sort of answer it takes; another sort does not reach it. */
  kind: string
  read: ReadAnswer<A>
  /** When the answer means nothing. */
  refused: A
  /** When no answer can come any more. */
  abandoned: A
  signal: AbortSignal
}

export class OpenQuestions {
  readonly #open = new Map<string, OpenQuestion>()
  #hasEnded = false

  /** Resolves with the answer; rejects with the signal's reason, and then an answer is for nobody. */
  put<A>({ id, kind, read, refused, abandoned, signal }: Question<A>): Promise<A> {
    if (this.#hasEnded) return Promise.resolve(abandoned)
    return new Promise((resolve, reject) => {
      const close = (): void => {
        this.#open.delete(id)
        signal.removeEventListener('abort', onAbort)
      }
      const onAbort = (): void => {
        close()
        reject(signal.reason)
      }
      if (signal.aborted) return onAbort()
      signal.addEventListener('abort', onAbort, { once: true })
      this.#open.set(id, {
        kind,
        settle(given) {
          close()
          try {
            resolve(read(given))
          } catch (error) {
            resolve(refused)
            throw error
          }
        },
        abandon() {
          close()
          resolve(abandoned)
        },
      })
    })
  }

  /** Whether an answer can still reach anybody. */
  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Throws `UNKNOWN_ID` when no such question is open, and what its reader throws. */
  answer(id: string, kind: string, given: unknown): void {
    const question = this.#open.get(id)
    if (question?.kind !== kind) throw new InputError('UNKNOWN_ID', `no ${kind} "${id}" waits for an answer: it was answered, withdrawn, or never asked`)
    question.settle(given)
  }

  /** No more answers will come. */
  end(): void {
    this.#hasEnded = true
    for (const question of [...this.#open.values()]) question.abandon()
  }
}
