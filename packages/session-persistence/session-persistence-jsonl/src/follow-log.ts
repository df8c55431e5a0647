/** Events as they are written, by whatever process. */

import { watch } from 'node:fs'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { LogTail } from './log-tail.ts'

/** Where watching tells nothing (network file systems), looking does. */
const POLL_MS = 500

/** Yields what the log holds from `from` on, and looks again whenever the file changes; ends with the signal. */
export async function* followLog(path: string, from: number, signal: AbortSignal): AsyncIterable<SessionEvent> {
  const tail = new LogTail(path)
  let next = from
  let wake: (() => void) | undefined
  const watcher = watch(path, () => wake?.())
  // Looking again by the clock goes on without it.
  watcher.on('error', () => watcher.close())
  try {
    while (!signal.aborted) {
      const changed = new Promise<void>(resolve => (wake = resolve))
      const events = await tail.read()
      for (const event of events) {
        if (event.seq < next) continue
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
