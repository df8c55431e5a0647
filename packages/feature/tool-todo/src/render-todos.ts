/** The list as people and models read it. Pure. */

import type { TodoItem, TodoStatus } from './types.ts'

const MARKS: Readonly<Record<TodoStatus, string>> = { completed: '[x]', in_progress: '[~]', pending: '[ ]' }

/** One line an item. */
export function renderChecklist(todos: readonly TodoItem[]): string {
  return todos.map(({ content, status }) => `${MARKS[status]} ${content}`).join('\n')
}

/** The answer to the model: how many items are in which state. */
export function renderCounts(todos: readonly TodoItem[]): string {
  if (todos.length === 0) return 'The to-do list is empty now.'
  const count = (status: TodoStatus): number => todos.filter(each => each.status === status).length
  return `To-do list updated: ${count('completed')} completed, ${count('in_progress')} in progress, ${count('pending')} pending.`
}
