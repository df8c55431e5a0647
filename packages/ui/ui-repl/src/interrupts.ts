/** What Ctrl-C means at the moment: throw away what is typed, stop what runs, or, at the second time in a row, leave. */

export interface InterruptTarget {
  readonly isRunning: boolean
  /** True when something was thrown away. */
  clearTyped(): boolean
  stop(): void
  leave(): void
  say(text: string): void
}

/** The second Ctrl-C has to come this soon. */
const WITHIN_MS = 3000

export class Interrupts {
  readonly #target: InterruptTarget
  #askedAt: number | undefined

  constructor(target: InterruptTarget) {
    this.#target = target
  }

  /** Something else was typed: the next is the first again. */
  forget(): void {
    this.#askedAt = undefined
  }

  next(now = performance.now()): void {
    const target = this.#target
    if (this.#askedAt !== undefined && now - this.#askedAt <= WITHIN_MS) return target.leave()
    if (!target.isRunning && target.clearTyped()) return
    this.#askedAt = now
    if (target.isRunning) target.stop()
    else target.say('Ctrl-C once more leaves')
  }
}
