/** Decides whether a list that the model wrote can stand. Pure. */

import { TodoError } from './errors.ts'
import type { TodoItem } from './types.ts'

/** The list with its contents trimmed. Throws `INVALID_TODOS`, naming the item. */
export function checkTodos(todos: readonly TodoItem[]): TodoItem[] {
  const seen = new Set<string>()
  let current: string | undefined
  return todos.map(({ content, status }, index) => {
    const trimmed = content.trim()
    if (trimmed === '') throw new TodoError('INVALID_TODOS', `item ${index + 1} is empty: say what is to be done`)
    if (seen.has(trimmed)) throw new TodoError('INVALID_TODOS', `item ${index + 1}, "${trimmed}", is on the list twice`)
    if (status === 'in_progress' && current !== undefined) {
      throw new TodoError('INVALID_TODOS', `"${current}" and "${trimmed}" are both in_progress: at most one can be`)
    }
    seen.add(trimmed)
    if (status === 'in_progress') current = trimmed
    return { content: trimmed, status }
  })
}
