/** Waits for a line of the log. */

import type { Context } from 'cordis'
import type { Session, SessionEvent, SessionEventType } from '@deepseek-ai/dsh-session'

export interface WaitOptions<T extends SessionEventType> {
  /** Default: any event of the type. */
  where?: (event: SessionEvent<T>) => boolean
  /** Rejects with what the log holds instead after this time. Default 5,000. */
  timeoutMs?: number
}

/** The first matching event, at once when it is in the log already. */
export async function waitForEvent<T extends SessionEventType>(ctx: Context, session: Session, type: T, options: WaitOptions<T> = {}): Promise<SessionEvent<T>> {
  const { where = () => true, timeoutMs = 5_000 } = options
  const matches = (event: SessionEvent): boolean => event.type === type && where(event as SessionEvent<T>)
  const known = session.events.find(matches)
  if (known) return known as SessionEvent<T>
  return await new Promise((resolve, reject) => {
    const off = ctx.on('session/event', (of, event) => {
      if (of !== session || !matches(event)) return
      end()
      resolve(event as SessionEvent<T>)
    })
    const timer = setTimeout(() => {
      end()
      reject(new Error(`no ${type} within ${timeoutMs} ms; the log holds ${session.events.map(event => event.type).join(', ') || 'nothing'}`))
    }, timeoutMs)
    function end(): void {
      clearTimeout(timer)
      off()
    }
  })
}
