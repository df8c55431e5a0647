/** Terminals that are not what one would wish for: without colours, dumb, narrow, without a size, with another locale. */

import { answer, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { provider, sandbox } from './program.ts'
import { CTRL_D, terminal } from './terminal.ts'

const RICH = '# A heading that is long\n\n| a column | another column |\n|---|---|\n| 漢字漢字 | 👩‍👩‍👧👩‍👩‍👧 |\n\n```js\nconst aVeryLongNameOfAVariable = "a long text in it"\n```\n\n1. one\n   - two\n     - three https://example.com/a/very/long/address\n\n> a quote of some words'

it.each([
  [20, 24], [10, 10], [4, 5], [2, 2], [1, 1], [0, 0],
])('converses, asks and ends well in a window of %i × %i', async (columns, rows) => {
  await using server = await provider([
    answer({ reasoning: 'A thought about it.', text: RICH.match(/[^]{1,11}/g) ?? [], calls: [{ name: 'todo_write', arguments: { todos: [{ content: 'A thing to do', status: 'pending' }] } }, { name: 'write', arguments: { file_path: 'new.txt', content: 'a line of some words\n漢字漢字漢字漢字\n' } }] }),
    answer({ calls: [{ name: 'ask_user', arguments: { questions: [{ question: 'Which of these do you want?', options: ['the first one', '漢字漢字漢字'] }] } }] }),
    textAnswer('END'),
  ])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH', { TERM_PROGRAM: 'vscode' }, { columns, rows })
  // Keys that come in a row are words of a message, and no answer.
  const pause = () => new Promise(resolve => setTimeout(resolve, 600))
  const wait = () => new Promise(resolve => setTimeout(resolve, 300))

  await tty.saw('\u001b[?2026l')
  await wait()
  tty.type('go\r')
  await expect.poll(() => server.requests.length, { timeout: 15_000 }).toBe(1)
  await expect.poll(async () => { await pause(); tty.type('y'); await wait(); return server.requests.length }, { timeout: 15_000 }).toBe(2)
  await expect.poll(async () => { await pause(); tty.type('1'); await wait(); return server.requests.length }, { timeout: 15_000 }).toBe(3)
  tty.resize(80, 24)
  await wait()
  tty.resize(Math.max(1, columns), Math.max(1, rows))
  await wait()
  // What was typed while nothing was asked stands in the editor.
  tty.type('\u0003')
  await wait()
  tty.type(CTRL_D)

  expect((await tty.ended).code).toBe(0)
  expect(await box.workspace.read('new.txt')).toContain('漢字')
  expect(tty.output).not.toMatch(/internal error|exceeds/)
})

it.each([
  ['NO_COLOR', { NO_COLOR: '1' }], ['the C locale', { LANG: 'C', LC_ALL: 'C' }], ['COLUMNS of another size', { COLUMNS: '20', LINES: '5' }], ['a terminal nobody knows', { TERM: 'unknown-thing' }],
])('goes on with %s', async (_, env) => {
  await using server = await provider([answer({ text: RICH })])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH', { TERM_PROGRAM: 'vscode', ...env }, { columns: 80, rows: 24 })

  await tty.saw('ask mode')
  tty.type('go\r')
  await tty.saw('a quote of some words')
  tty.type(CTRL_D)

  expect((await tty.ended).code).toBe(0)
})

it.each([
  ['a dumb terminal', '$DSH', { TERM: 'dumb' }],
  ['a terminal without a name', 'unset TERM; $DSH', {}],
  ['--plain', '$DSH --plain', { NO_COLOR: '1' }],
  ['output that goes elsewhere', '$DSH | cat', { NO_COLOR: '1' }],
])('speaks in lines with %s', async (_, script, env) => {
  await using server = await provider([answer({ text: RICH })])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, script, env, { columns: 80, rows: 24 })

  await tty.saw('> ')
  tty.type('go\r')
  await tty.saw('a quote of some words')
  await tty.saw('> ')
  tty.type(CTRL_D)
  const { code, output } = await tty.ended

  expect(code).toBe(0)
  // oxlint-disable-next-line no-control-regex
  expect(output.match(/\u001b\[\??[\d;]*[hm]/g)?.filter(each => !each.includes('2004')) ?? []).toEqual([])
})

it('gives a pipe no colours but where they are forced', async () => {
  await using server = await provider([textAnswer('**bold**'), textAnswer('**bold**')])
  await using box = await sandbox({}, server)

  const plain = await box.run(['-p', 'go'])
  const forced = await box.run(['-p', 'go'], { env: { FORCE_COLOR: '1' } })

  // Scripts read what was said, as it was said.
  expect([plain.stdout, forced.stdout]).toEqual(['**bold**\n', '**bold**\n'])
  expect(plain.stderr).toBe('')
})
