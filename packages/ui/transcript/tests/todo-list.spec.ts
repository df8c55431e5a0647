import { stripVTControlCharacters } from 'node:util'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { createTheme } from '@deepseek-ai/dsh-terminal-view'
import { expect, it } from 'vitest'
import { TodoList } from '../src/index.ts'

const theme = createTheme({ color: false })
const write = (todos: unknown): SessionEvent => ({ type: 'todo/write', seq: 0, time: 0, data: { todos } }) as unknown as SessionEvent
const turn = { type: 'turn/start', seq: 0, time: 0, data: { turn: 1, trigger: { kind: 'message', source: { kind: 'user' } } } } as SessionEvent
const todos = (...states: string[]) => states.map((status, i) => ({ content: `item ${i + 1}`, status }))

it('shows nothing before there is a list, then the list, then one line, then nothing', () => {
  const list = new TodoList(theme, [])
  expect(list.render(40)).toEqual([])
  list.advance(write(todos('completed', 'in_progress', 'pending')))
  expect(list.render(40)).toEqual(['', 'to do: 1 of 3 done', '  ✓ item 1', '  ▸ item 2', '  ☐ item 3'])
  list.advance(turn)
  expect(list.render(40)).toHaveLength(5)
  list.advance(write(todos('completed', 'completed', 'completed')))
  expect(list.render(40)).toEqual(['', '✓ to do: all 3 done'])
  list.advance(turn)
  expect(list.render(40)).toEqual([])
})

it('shows the part of a long list that is being worked on', () => {
  const list = new TodoList(theme, [write(todos(...Array.from({ length: 6 }, () => 'completed'), 'in_progress', ...Array.from({ length: 5 }, () => 'pending')))])
  expect(list.render(40)).toEqual(['', 'to do: 6 of 12 done', '  ✓ item 6', '  ▸ item 7', '  ☐ item 8', '  ☐ item 9', '  ☐ item 10', '  ☐ item 11', '  … 1 more'])
})

it('takes up the list of a session that goes on, but not one that was done', () => {
  expect(new TodoList(theme, [write(todos('pending')), turn]).render(40)).toEqual(['', 'to do: 0 of 1 done', '  ☐ item 1'])
  expect(new TodoList(theme, [write(todos('completed'))]).render(40)).toEqual([])
})

it('leaves out what is no item, and control sequences, and cuts what is too wide', () => {
  const list = new TodoList(theme, [])
  list.advance(write([{ content: 'a\u001b[2J\nb', status: 'pending' }, { content: 1, status: 'pending' }, 'x', null, { content: 'c', status: 'odd' }]))
  // The library ends what it cuts with resets, which the screen takes out where there are no colours.
  expect(list.render(9).map(stripVTControlCharacters)).toEqual(['', 'to do: 0…', '  ☐ a b'])
  list.advance(write('nonsense'))
  expect(list.render(40)).toHaveLength(3)
})
