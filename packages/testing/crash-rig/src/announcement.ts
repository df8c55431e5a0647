/** What is known of an event beside the store: that it was there, and when. */

import { fingerprint } from '@deepseek-ai/dsh-json'
import type { SessionEvent } from '@deepseek-ai/dsh-session'

export interface Announcement {
  seq: number
  /** Epoch milliseconds of the moment it was announced. */
  time: number
  /** Of its content, as `markOf` makes it. */
  mark: string
}

/** Tells an event from every other. */
export function markOf(event: SessionEvent): string {
  return fingerprint(JSON.stringify(event))
}
