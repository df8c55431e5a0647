/** The time in which another program has the terminal: what whoever runs it is told, and what is written around it. */

import type { Terminal } from '@earendil-works/pi-tui'

/** When the terminal is wanted back. */
export interface Loan {
  /** Aborted: the program is to be ended, with time to clean up. */
  signal: AbortSignal
  /** The process ends: `end` ends the program within the call. It gives back what the user is to be told, if anything. */
  atExit(end: () => string | undefined): void
}

/** Remembers where the cursor stands (DECSC). */
export const BEFORE_LENDING = '\u001b7'

/**
 * After a program that was killed before it could clean up: the whole window scrolls again (DECSTBM),
 * the normal screen is back and the cursor where it stood (1049, DECRC), no mouse is reported, pastes
 * have no brackets, arrows and the number pad send what they do in a shell, text is neither inserted
 * nor styled nor drawn as lines, lines wrap, and the cursor is seen and has its own shape. What is in
 * order already stays as it is.
 */
export const AFTER_CRASH = [
  '\u001b[?6l\u001b[r', '\u001b[?1049l\u001b8', '\u001b[?1000l\u001b[?1002l\u001b[?1003l\u001b[?1006l', '\u001b[?2004l',
  '\u001b[?1l\u001b>', '\u001b[4l\u001b[0m\u001b(B', '\u001b[?7h', '\u001b[0 q\u001b[?25h',
].join('')

/** One such time. */
export class LentTerminal {
  readonly #terminal: Terminal
  readonly #wanted = new AbortController()
  readonly #over = Promise.withResolvers<void>()
  #endNow: (() => string | undefined) | undefined
  #hasEnded = false

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  /** Until `work` is done. One that `wasKilled`, as its error says, may have left the terminal in modes of its own. */
  async during<T>(work: (loan: Loan) => Promise<T>, wasKilled: (error: unknown) => boolean): Promise<T> {
    const onExit = (): void => this.end()
    process.on('exit', onExit)
    this.#terminal.write(BEFORE_LENDING)
    try {
      return await work({
        signal: this.#wanted.signal,
        atExit: end => {
          this.#endNow = end
        },
      })
    } catch (error) {
      if (wasKilled(error)) this.#cleanUp()
      throw error
    } finally {
      if (this.#wanted.signal.aborted) this.#cleanUp()
      this.#hasEnded = true
      process.off('exit', onExit)
      this.#over.resolve()
    }
  }

  /** Has the program ended, and resolves when it has. */
  async recall(): Promise<void> {
    this.#wanted.abort(new Error('the terminal is wanted back'))
    await this.#over.promise
  }

  /** For a process that ends now: does all of it within the call, once. */
  end(): void {
    if (this.#hasEnded) return
    const words = this.#endNow?.()
    this.#cleanUp()
    if (words !== undefined) process.stderr.write(`dsh: ${words}\n`)
  }

  /** Once: what is told afterwards stands where the cursor was set back to. */
  #cleanUp(): void {
    if (!this.#hasEnded) this.#terminal.write(AFTER_CRASH)
    this.#hasEnded = true
  }
}
