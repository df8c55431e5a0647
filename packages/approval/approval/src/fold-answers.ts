/** Reads from a log what has been asked and what was allowed for the whole session. Pure. */

import type { SessionEvent } from '@deepseek-ai/dsh-session'
import type {} from './events.ts'

export interface Answers {
  /** How many questions there have been. */
  asked: number
  /** Tools whose further calls need no question. */
  allowed: Set<string>
}

export function foldAnswers(events: Iterable<SessionEvent>): Answers {
  const tools = new Map<string, string>()
  const allowed = new Set<string>()
  for (const { type, data } of events) {
    if (type === 'approval/asked') tools.set(data.id, data.tool)
    else if (type === 'approval/decided' && data.answer.kind === 'allow' && data.answer.scope === 'session') {
      const tool = tools.get(data.id)
      if (tool !== undefined) allowed.add(tool)
    }
  }
  return { asked: tools.size, allowed }
}
