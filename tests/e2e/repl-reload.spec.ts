/** Settings are edited in the middle of something: nothing that somebody is at is broken off, lost, or shown. */

import { setTimeout as sleep } from 'node:timers/promises'
import { answer, callAnswer, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { holders } from './holders.ts'
import { provider, sandbox, type Sandbox } from './program.ts'
import { CTRL_D, terminal, type Terminal } from './terminal.ts'

const ENV = { TERM_PROGRAM: 'vscode' }
const SETTINGS = '.config/dsh/settings.yml'
const KEY = 'sk-typed-within-0123456789'

/** Loads screen and loop anew, one after the other. */
const BOTH = 'rows:\n  ui-repl: { afterSeconds: 7 }\n  agent-core: { tools: { maxResultLength: 9000 } }\n'

/** Loads the screen anew. */
const editScreen = (box: Sandbox): Promise<unknown> => box.home.write(SETTINGS, 'rows:\n  ui-repl: { afterSeconds: 7 }\n')

/** An edit that has waited says so when it is over. */
const sawApplied = (tty: Terminal): Promise<void> => tty.saw('the edit of the settings is applied\u001b')

/** One that is applied at once is by then. */
const APPLIED_MS = 1200

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
  await sawApplied(tty)
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
  await sawApplied(tty)
  await sleep(500)
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
  await sleep(APPLIED_MS)
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

it('loses no key and no draft over an edit that loads everything anew, and says nothing twice', async () => {
  await using server = await provider([textAnswer('First answer.'), textAnswer('Second answer.')])
  await using box = await sandbox({}, server)
  await box.home.write(SETTINGS, 'rows: {}\n')
  const tty = await terminal(box, '$DSH', ENV)
  await tty.saw('ask mode')
  tty.type('hello\r')
  await tty.saw('First answer.')
  tty.type('a draft, ')
  await tty.saw('a draft,')
  await box.home.write(SETTINGS, BOTH)
  // All through the time in which nothing reads.
  const typed = Array.from({ length: 60 }, (_, i) => `${i} `)
  for (const each of typed) {
    tty.type(each)
    await sleep(20)
  }
  await sleep(300)
  tty.type('end\r')
  await tty.saw('Second answer.')
  tty.type(CTRL_D)
  const { code, output } = await tty.ended

  expect(code).toBe(0)
  expect(JSON.stringify(server.requests.at(-1)?.body.messages.at(-1))).toContain(`a draft, ${typed.join('')}end`)
  expect([output.split('Enter sends').length, output.split('First answer.').length]).toEqual([2, 2])
})

it('takes a key for one that is typed behind /login while everything is loaded anew', async () => {
  await using server = await provider([answer({ text: ['word ', 'LAST'], delayMs: 500 }), textAnswer('A real answer.')], { apiKey: KEY })
  await using box = await sandbox({}, server)
  await box.home.write(SETTINGS, 'rows: {}\n')
  const tty = await terminal(box, '$DSH', { ...ENV, DEEPSEEK_API_KEY: KEY })
  await tty.saw('ask mode')
  tty.type('go\r')
  await tty.saw('word')
  await box.home.write(SETTINGS, BOTH)
  await tty.saw('LAST')
  await sleep(20)
  for (const each of `/login\r${KEY.replace('within', 'gapped')}\r`) {
    tty.type(each)
    await sleep(6)
  }
  await tty.saw('does not take this key')
  await sleep(600)
  tty.type(CTRL_D)
  const { code, output } = await tty.ended

  expect(code).toBe(0)
  expect(output).not.toContain('gapped')
  expect(await holders(box, 'gapped')).toEqual([])
  expect(server.requests.filter(({ body }) => body?.messages)).toHaveLength(1)
})

it.each(['$DSH', '$DSH --plain'])('leaves on /quit while an edit waits for the turn: %s', async script => {
  await using server = await provider([answer({ text: Array.from({ length: 100 }, (_, i) => `word${i} `), delayMs: 50 })])
  await using box = await sandbox({}, server)
  await box.home.write(SETTINGS, 'rows: {}\n')
  const tty = await terminal(box, script, ENV)
  await tty.saw(script === '$DSH' ? 'ask mode' : '> ')
  tty.type('go\r')
  await tty.saw('word3')
  await box.home.write(SETTINGS, 'rows:\n  agent-core: { tools: { maxResultLength: 9000 } }\n')
  await tty.saw('applied when what is going on is over')
  tty.type('/quit\r')

  expect((await tty.ended).code).toBe(0)
})

it('waits for the end of an answer before its model is loaded anew', async () => {
  await using server = await provider([answer({ text: Array.from({ length: 40 }, (_, i) => `word${i} `), delayMs: 40 })])
  await using box = await sandbox({}, server)
  await box.home.write(SETTINGS, 'rows: {}\n')
  const tty = await terminal(box, '$DSH', ENV)
  await tty.saw('ask mode')
  tty.type('go\r')
  await tty.saw('word3')
  await box.home.write(SETTINGS, 'rows:\n  llm-deepseek: { connectTimeoutMs: 9000 }\n')
  await tty.saw('word39')
  await sawApplied(tty)
  tty.type(CTRL_D)
  const { code, output } = await tty.ended

  expect([code, server.requests.length]).toEqual([0, 1])
  expect(output).not.toContain('failed')
})

it('keeps what is half typed line by line', async () => {
  await using server = await provider([textAnswer('An answer.')])
  await using box = await sandbox({}, server)
  await box.home.write(SETTINGS, 'rows: {}\n')
  const tty = await terminal(box, '$DSH --plain', ENV)
  await tty.saw('> ')
  tty.type('half a message')
  await tty.saw('half a message')
  await box.home.write(SETTINGS, BOTH.replace('ui-repl: { afterSeconds: 7 }', 'commands: {}'))
  for (const each of ' and the rest of it') {
    tty.type(each)
    await sleep(60)
  }
  tty.type('\r')
  await tty.saw('An answer.')
  tty.type(CTRL_D)

  expect((await tty.ended).code).toBe(0)
  expect(JSON.stringify(server.requests[0]?.body.messages.at(-1))).toContain('half a message and the rest of it')
})

it.each([60, 90, 110, 150, 250])('ends by a signal %d ms into an edit, and the terminal is what it was', async ms => {
  await using box = await sandbox()
  await box.home.write(SETTINGS, 'rows: {}\n')
  const tty = await terminal(box, 'stty -g; $DSH; echo code $?; stty -g', ENV)
  await tty.saw('ask mode')
  const { stdout } = await box.shell(`pgrep -P ${tty.pid}`)
  await box.home.write(SETTINGS, BOTH)
  await sleep(ms)
  process.kill(Number(stdout.trim().split('\n').at(-1)), 'SIGTERM')
  await tty.saw('code 143')
  const { output } = await tty.ended
  const settings = output.match(/^[0-9a-f]+(?::[0-9a-f]+){10,}/gm)

  expect([settings?.length, settings?.at(-1)]).toEqual([2, settings?.[0]])
})
