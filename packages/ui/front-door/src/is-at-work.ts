/** Whether there is something to stop. */

import type { Agent } from '@deepseek-ai/dsh-agent'

/** A turn whose end is only being stored is over for whoever watches. */
export function isAtWork({ status, session }: Agent): boolean {
  return status === 'running' && session.settledEvents.at(-1)?.type !== 'turn/end'
}
