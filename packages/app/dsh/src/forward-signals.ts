/** Passes the process's signals to the front door, and ends the process when it is told to stop more often than that. */

import type { Interrupt } from '@deepseek-ai/dsh-front-door'

const CODES: Readonly<Record<Interrupt, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 143 }

/** What the system may send, and what it means: Ctrl-\ must not leave the programs of a tool behind either. */
const MEANINGS: Readonly<Record<Interrupt | 'SIGQUIT', Interrupt>> = { SIGINT: 'SIGINT', SIGTERM: 'SIGTERM', SIGHUP: 'SIGHUP', SIGQUIT: 'SIGTERM' }

/** A front door that has not come to an end by then is left behind. */
const PATIENCE_MS = 10_000

export interface ForwardOptions {
  pass(signal: Interrupt): void
  /** How many signals within `withinMs` are passed on; the next one ends the process at once. */
  tolerated: number
  withinMs: number
}

/** Listens until it is disposed of. */
export function forwardSignals({ pass, tolerated, withinMs }: ForwardOptions): Disposable {
  let recent: number[] = []
  const timers: NodeJS.Timeout[] = []
  const listeners = Object.entries(MEANINGS).map(([name, signal]) => {
    const listener = (): void => {
      const now = performance.now()
      recent = recent.filter(time => now - time < withinMs)
      if (recent.length >= tolerated) process.exit(CODES[signal])
      recent.push(now)
      // Ctrl-C stops the work and may leave the front door open; the others mean the end.
      if (signal !== 'SIGINT') timers.push(setTimeout(() => process.exit(CODES[signal]), PATIENCE_MS).unref())
      pass(signal)
    }
    process.on(name, listener)
    return { name, listener }
  })
  return {
    [Symbol.dispose]() {
      for (const { name, listener } of listeners) process.off(name, listener)
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
