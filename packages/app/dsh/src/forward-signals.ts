/** Passes the process's signals to the front door; the second one ends the process at once. */

import type { Interrupt } from '@deepseek-ai/dsh-front-door'

const CODES: Readonly<Record<Interrupt, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }

/** A front door that has not come to an end by then is left behind. */
const PATIENCE_MS = 10_000

export function forwardSignals(pass: (signal: Interrupt) => void): Disposable {
  let seen = false
  const listeners = (Object.keys(CODES) as Interrupt[]).map(signal => {
    const listener = (): void => {
      if (seen) process.exit(CODES[signal])
      seen = true
      // Ctrl-C stops the work and may leave the front door open; the others mean the end.
      if (signal !== 'SIGINT') setTimeout(() => process.exit(CODES[signal]), PATIENCE_MS).unref()
      pass(signal)
    }
    process.on(signal, listener)
    return { signal, listener }
  })
  return {
    [Symbol.dispose]() {
      for (const { signal, listener } of listeners) process.off(signal, listener)
    },
  }
}
