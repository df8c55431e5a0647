/** A pause that a cancel can cut short. */

import { unlessAborted } from '@deepseek-ai/dsh-abort'

/** Waits, and rejects with the signal's reason when it is aborted first. */
export async function sleep(delayMs: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  try {
    await unlessAborted(new Promise<void>(resolve => (timer = setTimeout(resolve, delayMs))), signal)
  } finally {
    clearTimeout(timer)
  }
}
