/** One line while something runs: what, for how long, and how to stop it. It costs a frame a second, and none when idle. */

import type { Component } from '@earendil-works/pi-tui'
import type { Theme } from '@deepseek-ai/dsh-terminal-view'

const EVERY_MS = 1000

export class Activity implements Component, Disposable {
  readonly #theme: Theme
  readonly #requestRender: () => void
  readonly #isHidden: () => boolean
  #since: number | undefined
  #timer: NodeJS.Timeout | undefined
  #what = 'working'
  /** Until when a wait lasts, by `performance.now()`. */
  #until: number | undefined

  /** `isHidden`: a question stands there, and its keys are others. */
  constructor(theme: Theme, requestRender: () => void, isHidden: () => boolean) {
    this.#theme = theme
    this.#isHidden = isHidden
    this.#requestRender = requestRender
  }

  get isRunning(): boolean {
    return this.#since !== undefined
  }

  start(): void {
    if (this.#since !== undefined) return
    this.#since = performance.now()
    this.#timer = setInterval(this.#requestRender, EVERY_MS)
    this.#requestRender()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#since = undefined
    this.#until = undefined
    this.#what = 'working'
    this.#requestRender()
  }

  /** What is being done; with `forMs`, the time left is shown. */
  set(what: string, forMs?: number): void {
    this.#what = what
    this.#until = forMs === undefined ? undefined : performance.now() + forMs
    this.#requestRender()
  }

  render(): string[] {
    if (this.#since === undefined || this.#isHidden()) return []
    const now = performance.now()
    const seconds = Math.floor((now - this.#since) / 1000)
    const left = this.#until === undefined ? '' : ` (${Math.max(0, Math.ceil((this.#until - now) / 1000))} s left)`
    return ['', `${this.#theme.accent('●')} ${this.#what}${left} ${this.#theme.dim(`· ${seconds} s · Esc stops`)}`]
  }

  invalidate(): void {
    // Nothing is kept between frames.
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}
