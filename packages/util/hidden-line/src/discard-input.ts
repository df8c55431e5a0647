/** Throws away what was typed for somebody who does not take it. */

import { setImmediate, setTimeout } from 'node:timers/promises'
import { unlessAborted } from '@deepseek-ai/dsh-abort'
import type { TypedInput } from './typed-input.ts'

/** What is pasted comes closer together, also from far away. */
const PAUSE_MS = 400

/**
 * On a terminal: all that waits, and what comes until nothing has come for a while, so that a paste is thrown away
 * to its end; Ctrl-C and Ctrl-Z still do what they do. Elsewhere: one line, if there is one by then. Resolves with whether there was anything but blanks;
 * nobody reads then. Rejects with the signal's reason.
 */
export async function discardInput(input: TypedInput, signal: AbortSignal): Promise<boolean> {
  let text = ''
  let at = performance.now()
  let isOver = false
  input.passTo({
    feed(more) {
      at = performance.now()
      text = text.trim() === '' ? more : text
      if (input.isTTY) input.obey(more)
      if (input.isTTY || !/[\r\n\u2028\u2029]$/.test(more)) return
      isOver = true
      input.passTo(undefined)
    },
    finish: () => (isOver = true),
  })
  try {
    await unlessAborted(pause(() => (isOver ? 0 : PAUSE_MS - (performance.now() - at))), signal)
  } finally {
    input.passTo(undefined)
  }
  return text.trim() !== ''
}

async function pause(left: () => number): Promise<void> {
  for (let ms = left(); ms > 0; ms = left()) {
    await setTimeout(ms)
    // Where this process was busy, what has come by now is read only after its timers.
    await setImmediate()
  }
}
