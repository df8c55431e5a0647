/** What `load` and `open` give of a session whose events need not be built yet. */

import type { EventLog, SessionHeader } from '@deepseek-ai/dsh-session'
import type { Damage, SessionSummary, StoredSession } from './types.ts'

export interface StoredParts {
  header: SessionHeader
  log: EventLog
  damage: Damage[]
  summary: SessionSummary
}

/** Its `events` are those of `log`, built when they are first read; a copy by `...` has them, and no `log`, which would not follow a change of them. */
export function storedSession({ header, log, damage, summary }: StoredParts): StoredSession & StoredParts {
  const stored: StoredSession = {
    header,
    get events() {
      return log.events
    },
    damage,
    summary,
  }
  return Object.defineProperty(stored, 'log', { value: log }) as StoredSession & StoredParts
}
