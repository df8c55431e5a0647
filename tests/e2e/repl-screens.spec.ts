/**
 * What a person sees in a conversation, as text: `screens/*.txt` hold the screens,
 * looked through by hand. Times, ids and folders are masked.
 */

import { join } from 'node:path'
import { answer, callAnswer, delta, errorReply, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { provider, sandbox } from './program.ts'
import { CTRL_D, terminal, type Terminal } from './terminal.ts'

const SMALL = { columns: 80, rows: 24 } as const
const LARGE = { columns: 200, rows: 50 } as const

/** The emulator moves its cursor as this terminal does. */
const ENV = { TERM_PROGRAM: 'vscode' }

const ESC = '\u001b'

const SUM = `/** The sum. */
export function sum(values) {
  let total = 1
  for (const value of values) total += value
  return total
}
`

const EXPLANATION = `## What is wrong

The sum begins with **1**, not \`0\`:

\`\`\`js
let total = 1 // wrong
for (const value of values) total += value
\`\`\`

| values    | is | should be |
|-----------|---:|----------:|
| \`[]\`      |  1 |         0 |
| \`[1, 2]\`  |  4 |         3 |

1. I read the file.
2. I mend it, and run the test:
   - in *Node*,
   - not in a browser.
`

const TODOS = (...states: string[]) => callAnswer({ name: 'todo_write', arguments: { todos: ['Read sum.js', 'Mend the sum', 'Run the test'].map((content, i) => ({ content, status: states[i] ?? 'pending' })) } })

/** Compares what is on the screen with the file; words that differ from run to run are masked, in place. */
async function shows(tty: Terminal, file: string, pick: 'screen' | 'visible' = 'screen'): Promise<void> {
  const text = (await tty[pick]()).map(mask).join('\n')
  await expect(`${text}\n`).toMatchFileSnapshot(join(import.meta.dirname, 'screens', `${file}.txt`))
}

function mask(line: string): string {
  return line
    .replace(/ · [0-9a-z]{9}$/, ' · 1a2b3c4d5')
    // Prices change with the hour.
    .replace(/\$0\.000\d /, '$0.0000 ')
    .replace(/\d+ s · Esc stops/, '0 s · Esc stops')
    .replace(/trying again in 3\.\d s/, 'trying again in 3.0 s')
    .replace(/\d+ s left/, '3 s left')
    .replace(/127\.0\.0\.1:\d+/, 'api.example.com')
    .replace(/thought for \d+ s/, 'thought for 1 s')
    .replace(/session [0-9a-z-]+; dsh -r [0-9a-z]+/, 'session 1a2b3c4d; dsh -r 1a2b3c4d')
    .replace(/\/\S*dsh-test-\w{6}/, '~/project')
}

/** Waits until the text stands on the screen and nothing has come for a while. */
async function settled(tty: Terminal, text: string): Promise<void> {
  await tty.saw(text)
  for (let length = -1; length !== tty.output.length; ) {
    length = tty.output.length
    await new Promise(resolve => setTimeout(resolve, 300))
  }
}

it('shows a piece of work from the question to the end, in two sizes of the window', async () => {
  await using server = await provider([
    answer({ reasoning: ['The test fails.', ' I should look at the file first.\nThen at the test.'], calls: [{ name: 'todo_write', arguments: { todos: [{ content: 'Read sum.js', status: 'in_progress' }, { content: 'Mend the sum', status: 'pending' }, { content: 'Run the test', status: 'pending' }] } }, { name: 'read', arguments: { file_path: 'sum.js' } }] }),
    answer({ text: EXPLANATION.match(/[^]{1,9}/g) ?? [], calls: [{ name: 'edit', arguments: { file_path: 'sum.js', old_string: 'let total = 1', new_string: 'let total = 0' } }] }),
    TODOS('completed', 'completed', 'in_progress'),
    callAnswer({ name: 'bash', arguments: { command: 'for i in 1 2 3; do echo "test $i ok"; done; until [ -e go ]; do sleep 0.05; done; echo "all ok" >log; cat log; exit 3' } }),
    TODOS('completed', 'completed', 'completed'),
    textAnswer('Mended: the sum begins with **0** now.'),
  ])
  await using box = await sandbox({ 'sum.js': SUM }, server)
  const tty = await terminal(box, '$DSH', ENV, SMALL)

  await settled(tty, 'ask mode')
  await shows(tty, 'start-80x24')
  tty.type('the sum is wrong, please mend it\r')
  await settled(tty, 'allow edit?')
  await shows(tty, 'edit-asked-80x24', 'visible')
  tty.type('y')
  await settled(tty, 'allow bash?')
  await shows(tty, 'bash-asked-80x24', 'visible')
  tty.type('y')
  await settled(tty, 'test 3 ok')
  await shows(tty, 'bash-running-80x24', 'visible')
  tty.resize(200, 50)
  await settled(tty, '─'.repeat(200))
  await box.workspace.write('go', '')
  await settled(tty, 'begins with')
  await shows(tty, 'done-200x50', 'visible')
  tty.type(CTRL_D)
  expect((await tty.ended).code).toBe(0)
  await shows(tty, 'history-200x50')
  server.assertStrict()
})

it('shows the same in a wide window', async () => {
  await using server = await provider([
    answer({ reasoning: 'One thought.', text: EXPLANATION.match(/[^]{1,9}/g) ?? [], calls: [{ name: 'edit', arguments: { file_path: 'sum.js', old_string: 'let total = 1', new_string: 'let total = 0' } }] }),
    textAnswer('So be it.'),
  ])
  await using box = await sandbox({ 'sum.js': SUM }, server)
  const tty = await terminal(box, '$DSH', ENV, LARGE)

  await tty.saw('ask mode')
  tty.type('the sum is wrong, please mend it\r')
  await settled(tty, 'allow edit?')
  await shows(tty, 'edit-asked-200x50')
  tty.type('w')
  await settled(tty, 'Esc goes back')
  tty.type('the one is right\r')
  await settled(tty, 'So be it.')
  tty.resize(80, 24)
  await settled(tty, 'ask mode')
  await shows(tty, 'refused-80x24', 'visible')
  tty.type(CTRL_D)
  await tty.ended
})

it('answers an approval for the session, for the turn, and with a no', async () => {
  const touch = (name: string) => callAnswer({ name: 'bash', arguments: { command: `touch ${name}` } })
  await using server = await provider([touch('one'), touch('two'), touch('two'), touch('three'), touch('three'), textAnswer('All five.')])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH', ENV, SMALL)

  await tty.saw('ask mode')
  tty.type('go\r')
  await settled(tty, 'allow bash?')
  tty.type('n')
  await settled(tty, 'allow bash?')
  tty.type('t')
  await settled(tty, 'allow bash?')
  tty.type('s')
  await settled(tty, 'All five.')
  await shows(tty, 'approvals-80x24')
  tty.type(CTRL_D)
  await tty.ended
  expect((await box.shell('ls')).stdout).toBe('three\ntwo\n')
})

it('puts the questions of the model, and shows the answers', async () => {
  await using server = await provider([
    callAnswer({ name: 'ask_user', arguments: { questions: [{ question: 'Which runner?', options: ['vitest', 'node:test'] }, { question: 'Which systems?', options: ['Linux', 'macOS', 'Windows'], multiple: true }] } }),
    textAnswer('Thank you.'),
  ])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH', ENV, SMALL)

  await tty.saw('ask mode')
  tty.type('set up tests\r')
  await settled(tty, 'Which runner?')
  await shows(tty, 'question-80x24')
  tty.type('2')
  await settled(tty, 'Which systems?')
  tty.type(` ${ESC}[B `)
  await settled(tty, '[x] macOS')
  await shows(tty, 'question-multiple-80x24')
  tty.type('\r')
  await settled(tty, 'Thank you.')
  await shows(tty, 'answered-80x24')
  tty.type(CTRL_D)
  await tty.ended
})

it('tells of retries with the time left, and of every ending that is not a good one', async () => {
  await using server = await provider([
    errorReply(503, 'too busy', { 'retry-after': '3' }),
    textAnswer('Now it went.'),
    errorReply(400, 'this prompt is not for me'),
    { pieces: [delta({ content: 'I begin\n\nand go on' })], end: 'hang' },
    answer({ text: 'As long as it gets', finish: 'length' }),
  ])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH', ENV, SMALL)

  await tty.saw('ask mode')
  tty.type('one\r')
  await tty.saw('s left')
  await shows(tty, 'waiting-80x24')
  await settled(tty, 'Now it went.')
  tty.type('two\r')
  await settled(tty, 'not for me')
  tty.type('three\r')
  await tty.saw('and go on')
  tty.type(ESC)
  await settled(tty, 'stopped by the user')
  tty.type('four\r')
  await settled(tty, 'output limit')
  await shows(tty, 'endings-80x24')
  tty.type(CTRL_D)
  expect((await tty.ended).code).toBe(0)
})

it('says when the budget of a turn has run out', async () => {
  const list = () => callAnswer({ name: 'bash', arguments: { command: 'ls' } })
  await using server = await provider([list(), list(), list()])
  await using box = await sandbox({ 'a.txt': '' }, server)
  const tty = await terminal(box, '$DSH --max-steps 2 "list for ever"', ENV, SMALL)

  await settled(tty, 'budget')
  await shows(tty, 'budget-80x24')
  tty.type(CTRL_D)
  expect((await tty.ended).code).toBe(0)
})
