import { Context } from 'cordis'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { Scope } from '@deepseek-ai/dsh-scope'
import { SessionStore, type Session } from '@deepseek-ai/dsh-session'
import { SystemPrompt } from '@deepseek-ai/dsh-system-prompt'
import { ToolRegistry, type ToolExecutionResult } from '@deepseek-ai/dsh-tools'
import { foldTodos } from '../src/index.ts'
import * as toolTodo from '../src/index.ts'

let ctx: Context
let session: Session
let agent: Agent

beforeEach(async () => {
  ctx = new Context()
  await ctx.plugin(SystemPrompt)
  await ctx.plugin(ToolRegistry)
  await ctx.plugin(SessionStore)
  session = ctx.sessions.create('s')
  // The tool reads nothing else of an agent.
  agent = { id: 's', session, scope: new Scope('s') } as unknown as Agent
})
afterEach(() => ctx.fiber.dispose())

function write(todos: unknown, by: Agent | undefined = agent): Promise<ToolExecutionResult> {
  const { signal } = new AbortController()
  return ctx.tools.execute({ callId: '1', name: 'todo_write', cwd: '/', signal, arguments: { todos } as never, ...(by && { agent: by }) })
}

const said = ({ content }: ToolExecutionResult): string => content.map(block => (block.type === 'text' ? block.text : '')).join('')
const logged = (): unknown[] => session.events.map(({ type, data }) => [type, data])

describe('todo_write', () => {
  beforeEach(async () => {
    await ctx.plugin(toolTodo)
  })

  it('appends the whole list to the log, trimmed, and answers with counts', async () => {
    const result = await write([{ content: '  read ', status: 'completed' }, { content: 'fix', status: 'in_progress' }, { content: 'test', status: 'pending' }])
    expect(result).toEqual({ callId: '1', isError: false, content: [{ type: 'text', text: 'To-do list updated: 1 completed, 1 in progress, 1 pending.' }] })
    expect(logged()).toEqual([['todo/write', { todos: [{ content: 'read', status: 'completed' }, { content: 'fix', status: 'in_progress' }, { content: 'test', status: 'pending' }] }]])
  })

  it('replaces the list that was there', async () => {
    expect(foldTodos(session.events)).toEqual([])
    await write([{ content: 'a', status: 'pending' }])
    await write([{ content: 'b', status: 'completed' }])
    expect(foldTodos(session.events)).toEqual([{ content: 'b', status: 'completed' }])
    expect(said(await write([]))).toBe('The to-do list is empty now.')
    expect(foldTodos(session.events)).toEqual([])
  })

  it.each([
    ['an empty item', [{ content: ' ', status: 'pending' }], 'Error: item 1 is empty: say what is to be done'],
    ['an item that is there twice', [{ content: 'a', status: 'pending' }, { content: 'a ', status: 'completed' }], 'Error: item 2, "a", is on the list twice'],
    ['two items in progress', [{ content: 'a', status: 'in_progress' }, { content: 'b', status: 'in_progress' }], 'Error: "a" and "b" are both in_progress: at most one can be'],
    ['a state that does not exist', [{ content: 'a', status: 'done' }], expect.stringContaining('invalid arguments for todo_write: todos[0].status')],
    ['what is no list', null, expect.stringContaining('invalid arguments for todo_write: todos')],
  ])('refuses %s and leaves the log alone', async (_, todos, message) => {
    const result = await write(todos)
    expect([result.isError, said(result)]).toEqual([true, message])
    expect(logged()).toEqual([])
  })

  it('takes a list that the model wrote as a string', async () => {
    expect(said(await write('[{"content":"a","status":"pending"}]'))).toBe('To-do list updated: 0 completed, 0 in progress, 1 pending.')
  })

  it('needs an agent', async () => {
    const { signal } = new AbortController()
    const result = await ctx.tools.execute({ callId: '1', name: 'todo_write', cwd: '/', signal, arguments: { todos: [] } })
    expect(result).toMatchObject({ isError: true, error: { name: 'TodoError', code: 'NO_AGENT' } })
  })

  it('shows a checklist', () => {
    const args = { todos: [{ content: 'a', status: 'completed' }, { content: 'b', status: 'in_progress' }, { content: 'c', status: 'pending' }] }
    const content = [{ type: 'text', text: '[x] a\n[~] b\n[ ] c' }]
    const tool = ctx.tools.get('todo_write')
    expect(tool?.presentCall?.(args)).toEqual({ card: 'generic', kind: 'think', title: 'Update the to-do list', content })
    expect(tool?.presentResult?.(args, { content: [], isError: false })).toEqual({ card: 'generic', content })
  })
})

it('takes its tool away when it is unloaded', async () => {
  const fiber = await ctx.plugin(toolTodo)
  expect(ctx.tools.get('todo_write')).toBeDefined()
  await fiber.dispose()
  expect(ctx.tools.get('todo_write')).toBeUndefined()
})
