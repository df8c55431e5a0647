/** What the provider may cache: the bytes of one request's tools and messages are the beginning of the next request. */

import { callAnswer, textAnswer, type MockRequest } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { provider, sandbox } from './program.ts'
import { CTRL_D, terminal } from './terminal.ts'

it('sends every request as a continuation of the one before, over several steps and turns', async () => {
  await using server = await provider([
    callAnswer({ name: 'read', arguments: { file_path: 'a.txt' } }, { name: 'glob', arguments: { pattern: '**' } }),
    callAnswer({ name: 'write', arguments: { file_path: 'naïve 你好.txt', content: 'new\n' } }),
    callAnswer({ name: 'bash', arguments: { command: 'git init -q . && git -c user.name=a -c user.email=b commit -q --allow-empty -m one && date' } }),
    callAnswer({ name: 'todo_write', arguments: { todos: [{ content: 'one', status: 'in_progress' }] } }),
    callAnswer({ name: 'nonsense', arguments: '{"broken' }),
    textAnswer('First.'),
    callAnswer({ name: 'todo_write', arguments: { todos: [{ content: 'one', status: 'completed' }] } }),
    textAnswer('Second.'),
  ])
  await using box = await sandbox({ 'a.txt': 'hello\n' }, server)
  const tty = await terminal(box, '$DSH --plain --permission auto begin')

  await tty.saw('First.')
  await tty.saw('> ')
  tty.type('go on\r')
  await tty.saw('Second.')
  await tty.saw('> ')
  tty.type(CTRL_D)
  await tty.ended

  expect(server.requests).toHaveLength(8)
  const bodies = server.requests.map(textOf)
  for (const [index, body] of bodies.entries()) {
    const before = bodies[index - 1]
    if (before !== undefined) expect(body.slice(0, before.length)).toBe(before)
  }
  server.assertStrict()
})

/** The body up to the end of its last message: what must stay as it is. */
function textOf({ rawBody }: MockRequest): string {
  const text = rawBody?.toString('utf8') ?? ''
  const { messages } = JSON.parse(text) as { messages: unknown[] }
  const last = JSON.stringify(messages.at(-1))
  const end = text.lastIndexOf(last)
  expect(end).toBeGreaterThan(0)
  return text.slice(0, end + last.length)
}
