/** The log event of the to-do list. */

import type {} from '@deepseek-ai/dsh-session'
import type { TodoItem } from './types.ts'

declare module '@deepseek-ai/dsh-session' {
  interface SessionEventMap {
    /** The whole list, as it is from here on. */
    'todo/write': { todos: TodoItem[] }
  }
}
