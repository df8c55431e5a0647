/** What a run answered: the one definition of it for every front door. Pure. */

import { textOf } from '@deepseek-ai/dsh-llm'
import type { SessionEvent } from '@deepseek-ai/dsh-session'

/** The text of the last assistant message that has any; empty when none has. */
export function finalAnswer(events: readonly SessionEvent[]): string {
  for (let i = events.length - 1; i >= 0; i--) {
    const event = events[i]
    if (event?.type !== 'assistant/message') continue
    const answer = textOf(event.data.content)
    if (answer.trim() !== '') return answer
  }
  return ''
}
