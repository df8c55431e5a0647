/** What a session is called. Pure. */

import { textOf } from '@deepseek-ai/dsh-llm'
import { toTitle } from '@deepseek-ai/dsh-session-persistence'
import type { SessionEvent } from '@deepseek-ai/dsh-session'

/** As lists of sessions have it: the last title that was given, else the first words of the user. Undefined before there are any. */
export function titleOf(events: readonly SessionEvent[]): string | undefined {
  const given = events.findLast((event): event is SessionEvent<'session/title'> => event.type === 'session/title')
  if (given) return toTitle(given.data.title)
  const first = events.find((event): event is SessionEvent<'user/message'> => event.type === 'user/message')
  const title = first && toTitle(textOf(first.data.content))
  return title === '' ? undefined : title
}
