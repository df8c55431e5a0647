/** Events as they are written, by whatever process. */

import { watch, type FSWatcher } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { asFailure } from './failures.ts'
import { LogTail, type TailPaths } from './log-tail.ts'

/** Where watching tells nothing (network file systems), looking does. */
const POLL_MS = 500

/** Yields what is stored from `from` on, and looks again whenever a file changes; ends with the signal. Throws `STORE_FAILED` when the log can no longer be read. */
export async function* followLog(paths: TailPaths, from: number, signal: AbortSignal): AsyncIterable<SessionEvent> {
  const tail = new LogTail(paths)
  let next = from
  let wake: (() => void) | undefined
  const watcher = watching(paths, () => wake?.())
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
    throw asFailure(error, `follow ${paths.log}`)
  } finally {
    signal.removeEventListener('abort', onAbort)
    watcher?.close()
  }
}

/** Undefined where the system has no more watches to give: looking again by the clock goes on without one. */
function watching({ log, journal }: TailPaths, onChange: () => void): FSWatcher | undefined {
  const names: (string | null)[] = [basename(log), basename(journal), null]
  try {
    // The folder, because the journal may be yet to come.
    const watcher = watch(dirname(log), (_, name) => {
      if (names.includes(name)) onChange()
    })
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
