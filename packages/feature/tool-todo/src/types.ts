/** The vocabulary of the to-do list. Types only. */

export type TodoStatus = 'pending' | 'in_progress' | 'completed'

export interface TodoItem {
  /** Trimmed, not empty, and unlike every other item's. */
  content: string
  status: TodoStatus
}
