/** The to-do list that a log holds. */

import type { SessionEvent } from '@deepseek-ai/dsh-session'
import type {} from './events.ts'
import type { TodoItem } from './types.ts'

/** Of the last write; empty before the first. */
export function foldTodos(events: readonly SessionEvent[]): readonly TodoItem[] {
  return events.findLast(event => event.type === 'todo/write')?.data.todos ?? []
}
