/** Events as they are written, by whatever process. */

import { watch, type FSWatcher } from 'node:fs'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { asFailure } from './failures.ts'
import { LogTail } from './log-tail.ts'

/** Where watching tells nothing (network file systems), looking does. */
const POLL_MS = 500

/** Yields what the log holds from `from` on, and looks again whenever the file changes; ends with the signal. Throws `STORE_FAILED` when the file can no longer be read. */
export async function* followLog(path: string, from: number, signal: AbortSignal): AsyncIterable<SessionEvent> {
  const tail = new LogTail(path)
  let next = from
  let wake: (() => void) | undefined
  const watcher = watching(path, () => wake?.())
  const onAbort = (): void => wake?.()
  signal.addEventListener('abort', onAbort)
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
      if (events.length === 0 && !signal.aborted) await soon(changed)
    }
  } catch (error) {
    throw asFailure(error, `follow ${path}`)
  } finally {
    signal.removeEventListener('abort', onAbort)
    watcher?.close()
  }
}

/** Undefined where the system has no more watches to give: looking again by the clock goes on without one. */
function watching(path: string, onChange: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(path, onChange)
    watcher.on('error', () => watcher.close())
    return watcher
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) return undefined
    throw error
  }
}

async function soon(changed: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, POLL_MS)
  await Promise.race([changed, promise])
  clearTimeout(timer)
}
