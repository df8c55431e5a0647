/** Events as they are written, by whatever process. */

import { watch } from 'node:fs'
import type { SessionEvent } from '@deepseek-ai/dsh-session'

/** Where watching tells nothing (network file systems), looking does. */
const POLL_MS = 500

/** Yields what `read` finds from `from` on, and looks again whenever the file changes; ends with the signal. */
export async function* followLog(path: string, from: number, read: (from: number) => Promise<SessionEvent[]>, signal: AbortSignal): AsyncIterable<SessionEvent> {
  let next = from
  let wake: (() => void) | undefined
  const watcher = watch(path, () => wake?.())
  // Looking again by the clock goes on without it.
  watcher.on('error', () => watcher.close())
  try {
    while (!signal.aborted) {
      const changed = new Promise<void>(resolve => (wake = resolve))
      const events = await read(next)
      for (const event of events) {
        yield event
        next = event.seq + 1
        if (signal.aborted) return
      }
      if (events.length === 0) await soon(changed, signal)
    }
  } finally {
    watcher.close()
  }
}

async function soon(changed: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, POLL_MS)
  signal.addEventListener('abort', () => resolve(), { once: true })
  await Promise.race([changed, promise])
  clearTimeout(timer)
}
