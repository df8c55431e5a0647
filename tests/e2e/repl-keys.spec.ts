/** Keys reach the program: those that come before it, and those behind something that has no end. */

import { textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { provider, sandbox } from './program.ts'
import { CTRL_C, CTRL_D, terminal } from './terminal.ts'

it('sends what was typed with Enter before it was up', async () => {
  await using server = await provider([textAnswer('Here.')])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, 'echo ready; sleep 0.3; $DSH')

  await tty.saw('ready')
  tty.type('typed ahead\r')
  await tty.saw('Here.')
  tty.type(CTRL_D)

  expect((await tty.ended).code).toBe(0)
  expect(server.requests.map(({ conversation }) => conversation)).toEqual(['typed ahead'])
})

it.each([
  ['an answer of the terminal', '\u001b]11;rgb:ff', 'hello'],
  ['a paste', '\u001b[200~some ', 'some hello'],
])('takes keys behind %s that has no end', async (_, half, sent) => {
  await using server = await provider([textAnswer('Here.')])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH')

  await tty.saw('ask mode')
  tty.type(half)
  // So long that nobody waits for the rest any more.
  await new Promise(resolve => setTimeout(resolve, 1500))
  tty.type('hello')
  await tty.saw('hello')
  tty.type('\r')
  await tty.saw('Here.')
  tty.type(half)
  await new Promise(resolve => setTimeout(resolve, 100))
  for (const key of [CTRL_C, CTRL_C, CTRL_C]) {
    tty.type(key)
    await new Promise(resolve => setTimeout(resolve, 100))
  }

  expect((await tty.ended).code).toBe(130)
  expect(server.requests.map(({ conversation }) => conversation)).toEqual([sent])
})
