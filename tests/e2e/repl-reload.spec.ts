/** Settings are edited in the middle of something: nothing that somebody is at is broken off, lost, or shown. */

import { setTimeout as sleep } from 'node:timers/promises'
import { answer, callAnswer, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { provider, sandbox, type Sandbox } from './program.ts'
import { CTRL_D, terminal, type Terminal } from './terminal.ts'

const ENV = { TERM_PROGRAM: 'vscode' }
const SETTINGS = '.config/dsh/settings.yml'
const KEY = 'sk-typed-within-0123456789'

/** Loads the screen anew. */
const editScreen = (box: Sandbox): Promise<unknown> => box.home.write(SETTINGS, 'rows:\n  ui-repl: { afterSeconds: 7 }\n')

/** As it does when the screen comes anew. */
const sawAnew = (tty: Terminal): Promise<void> => tty.saw('Enter sends')

it('waits for the end of a turn before the loop is loaded anew', async () => {
  const words = Array.from({ length: 40 }, (_, i) => `word${i} `)
  await using server = await provider([answer({ text: words, delayMs: 40 }), textAnswer('And on.')])
  await using box = await sandbox({}, server)
  await box.home.write(SETTINGS, 'rows: {}\n')
  const tty = await terminal(box, '$DSH', ENV)
  await tty.saw('ask mode')
  tty.type('go\r')
  await tty.saw('word3')
  await box.home.write(SETTINGS, 'rows:\n  agent-core: { tools: { maxResultLength: 9000 } }\n')
  await tty.saw('applied when what is going on is over')
  await sawAnew(tty)
  tty.type('on\r')
  await tty.saw('And on.')
  tty.type(CTRL_D)
  const { code, output } = await tty.ended

  expect(code).toBe(0)
  expect(output).toContain('word39')
  expect(output).not.toMatch(/interrupted|stopped|disposed/)
  expect(server.requests.at(-1)?.body.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
  server.assertStrict()
})

it('keeps an approval open until it is answered', async () => {
  await using server = await provider([callAnswer({ name: 'bash', arguments: { command: 'touch made' } }), textAnswer('Made.')])
  await using box = await sandbox({}, server)
  await box.home.write(SETTINGS, 'rows: {}\n')
  const tty = await terminal(box, '$DSH', ENV)
  await tty.saw('ask mode')
  tty.type('go\r')
  await tty.saw('allow bash?')
  await editScreen(box)
  await tty.saw('applied when what is going on is over')
  tty.type('y')
  await tty.saw('Made.')
  tty.type(CTRL_D)

  expect((await tty.ended).code).toBe(0)
  expect((await box.shell('ls')).stdout).toBe('made\n')
  server.assertStrict()
})

it('keeps the question for a key open, so that nothing of it is typed elsewhere', async () => {
  await using server = await provider([textAnswer('A real answer.')], { apiKey: KEY })
  await using box = await sandbox({}, server)
  await box.home.write(SETTINGS, 'rows: {}\n')
  const tty = await terminal(box, '$DSH', { ...ENV, DEEPSEEK_API_KEY: '' })
  await tty.saw('ask mode')
  tty.type('/login\r')
  await tty.saw('DeepSeek API key')
  tty.type(KEY.slice(0, 9))
  await editScreen(box)
  await tty.saw('applied when what is going on is over')
  tty.type(`${KEY.slice(9)}\r`)
  await tty.saw('The key is stored')
  await sawAnew(tty)
  await sleep(300)
  tty.type('hello\r')
  await tty.saw('A real answer.')
  tty.type(CTRL_D)
  const { code, output } = await tty.ended

  expect(code).toBe(0)
  for (const part of [KEY.slice(0, 9), KEY.slice(9)]) expect(output).not.toContain(part)
})

it('leaves what is half typed in the editor, and what the user ran on the screen', async () => {
  await using server = await provider([textAnswer('An answer.')])
  await using box = await sandbox({}, server)
  await box.home.write(SETTINGS, 'rows: {}\n')
  const tty = await terminal(box, '$DSH', ENV)
  await tty.saw('ask mode')
  tty.type('!echo of the $((40+2)) shell\r')
  await tty.saw('of the 42 shell')
  await sleep(200)
  tty.type('half a message')
  await tty.saw('half a message')
  await editScreen(box)
  await sawAnew(tty)
  await sleep(300)
  expect((await tty.visible()).join('\n')).toMatch(/half a message/)
  tty.type(' and the rest\r')
  await tty.saw('An answer.')
  tty.type(CTRL_D)
  await tty.ended
  const again = await terminal(box, '$DSH -c', ENV)
  await again.saw('An answer.')
  expect((await again.visible()).join('\n')).toContain('of the 42 shell')
  again.type(CTRL_D)

  expect((await again.ended).code).toBe(0)
  expect(JSON.stringify(server.requests[0]?.body.messages.at(-1))).toContain('half a message and the rest')
})
