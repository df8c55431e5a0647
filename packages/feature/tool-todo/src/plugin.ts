/** Gives the model one tool, `todo_write`: the plan of the session, kept in its log. */

import type { Context } from 'cordis'
import { defineTool, text } from '@deepseek-ai/dsh-tools'
import { checkTodos } from './check-todos.ts'
import { TodoError } from './errors.ts'
import type {} from './events.ts'
import { renderChecklist, renderCounts } from './render-todos.ts'

export const name = 'tool-todo'
export const inject = ['tools']

const todoWrite = defineTool({
  name: 'todo_write',
  description:
    'Replace the to-do list of this session. Use it for work of several steps: write the whole list each time, mark one item in_progress before you start it and completed as soon as it is done.',
  parameters: {
    todos: {
      type: 'array',
      required: true,
      description: 'The whole list, in order. An empty list clears it.',
      items: {
        type: 'object',
        properties: {
          content: { type: 'string', required: true, description: 'What is to be done, in one line.' },
          status: { type: 'string', required: true, enum: ['pending', 'in_progress', 'completed'] },
        },
      },
    },
  },
  kind: 'think',
  // Two lists in one message must end up in the log in the model's order.
  concurrency: 'exclusive',
  async execute({ todos }, { agent }) {
    if (!agent) throw new TodoError('NO_AGENT', 'todo_write needs an agent, whose session keeps the list')
    const checked = checkTodos(todos)
    agent.session.append('todo/write', { todos: checked })
    return [text(renderCounts(checked))]
  },
  presentCall: ({ todos }) => ({ card: 'generic', kind: 'think', title: 'Update the to-do list', content: [text(renderChecklist(todos))] }),
  presentResult: ({ todos }, { content, isError }) => ({ card: 'generic', content: isError ? content : [text(renderChecklist(todos))] }),
})

export function apply(ctx: Context): void {
  ctx.tools.register(todoWrite)
}
