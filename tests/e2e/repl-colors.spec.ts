/** Colours go by what the terminal says is behind them; nobody waits for the answer, and it is typed nowhere. */

import { textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { provider, sandbox } from './program.ts'
import { CTRL_D, terminal } from './terminal.ts'

const WINDOW = { columns: 80, rows: 24 }
const ANSWER = 'Some `code` here.'
const QUERY = '\u001b]11;?\u001b\\'

const colored = (code: number): string => `\u001b[${code}mcode\u001b[39m`

it.each([
  ['dark', '\u001b]10;rgb:ffff/ffff/ffff\u0007\u001b]11;rgb:0000/0000/0000\u0007', colored(36)],
  ['light', '\u001b]10;rgb:0000/0000/0000\u001b\\\u001b]11;rgb:fdfd/f6f6/e3e3\u001b\\', colored(34)],
  ['unknown', '', '\u001b[1mcode\u001b[22m'],
])('draws code for a background that is %s', async (_what, reply, code) => {
  await using server = await provider([textAnswer(ANSWER)])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH', {}, WINDOW)
  await tty.saw(QUERY)
  tty.type(reply)
  await tty.saw('ask mode')
  tty.type('go\r')
  await tty.saw(code)
  await tty.saw('ask mode')

  expect(server.requests.map(({ conversation }) => conversation)).toEqual(['go'])
  tty.type(CTRL_D)
  expect((await tty.ended).code).toBe(0)
})

it('asks nothing and styles nothing with NO_COLOR', async () => {
  await using server = await provider([textAnswer(ANSWER)])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH', { NO_COLOR: '1' }, WINDOW)
  await tty.saw('ask mode')
  tty.type('go\r')
  await tty.saw('Some code here.')
  tty.type(CTRL_D)
  const { code, output } = await tty.ended

  expect(code).toBe(0)
  expect(output).not.toContain(QUERY)
  // oxlint-disable-next-line no-control-regex
  expect(output).not.toMatch(/\u001b\[[\d;]*m/)
})
