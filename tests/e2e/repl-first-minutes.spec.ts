/** What a new user meets in the first minutes: commands, questions that come while one types, sessions to choose from, a way back. */

import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { callAnswer, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { provider, sandbox } from './program.ts'
import { CTRL_D, terminal } from './terminal.ts'

const WINDOW = { columns: 80, rows: 24 }
const ESC = '\u001b'

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

it('begins with one frame and no rest of another', async () => {
  await using server = await provider([])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH', {}, { ...WINDOW, hasReplies: true })
  await tty.saw('ask mode')

  expect((await tty.screen()).filter(line => line.startsWith('─'))).toHaveLength(2)
  tty.type(CTRL_D)
  expect((await tty.ended).code).toBe(0)
})

it('takes letters of a message for no answer when a question comes in between', async () => {
  await using server = await provider([callAnswer({ name: 'bash', arguments: { command: 'sleep 0.5' } }), callAnswer({ name: 'bash', arguments: { command: 'touch asked' } }), textAnswer('Done.')])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH', {}, WINDOW)
  await tty.saw('ask mode')
  tty.type('go\r')
  await tty.saw('sleep 0.5')
  for (const letter of 'yes, yes, yes, yes') {
    tty.type(letter)
    await pause(60)
  }
  await tty.saw('allow bash?')
  tty.type('n')
  await tty.saw('Done.')

  await expect.poll(() => tty.visible()).toContain('yes, yes, yes, yes')
  expect(await readdir(box.workspace.path)).not.toContain('asked')
  tty.type('\u0003\u0003\u0003')
  await tty.ended
})

it('repeats a command, says where one stands after it, and shows what a session was about', async () => {
  await using server = await provider([textAnswer('The first answer.'), textAnswer('The other answer.')])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH', {}, WINDOW)
  await tty.saw('ask mode')
  tty.type('first\r')
  await tty.saw('The first answer.')
  tty.type('/\r')
  await tty.saw('the commands that there are')
  tty.type('/fork\r')
  await tty.saw('❯ /fork')
  await tty.saw('This is a copy of')
  tty.type('/clear\r')
  await tty.saw('This is a new session.')
  tty.type('other\r')
  await tty.saw('The other answer.')
  tty.type('/resume\r')
  await tty.saw('go on with')
  await tty.saw('❯ first')
  await tty.saw('The first answer.')
  tty.type('zz')
  await tty.saw('nothing holds these words')
  tty.type(ESC)
  await pause(200)
  tty.type(CTRL_D)
  expect((await tty.ended).code).toBe(0)
})

it('keeps what was half typed when the window is closed', async () => {
  await using server = await provider([])
  await using box = await sandbox({}, server)
  const first = await terminal(box, '$DSH', {}, WINDOW)
  await first.saw('ask mode')
  first.type('half a 漢字 mess')
  await first.saw('mess')
  first.hangUp()
  await first.ended
  await pause(500)

  const second = await terminal(box, '$DSH', {}, WINDOW)
  await second.saw('ask mode')
  await pause(500)
  second.type('\u001b[A')
  await second.saw('half a 漢字 mess')
  second.type('\u0003\u0003\u0003')
  await second.ended
})

it('goes on where it was when its settings are edited: what runs, and what was half typed', async () => {
  await using server = await provider([callAnswer({ name: 'bash', arguments: { command: 'until [ -e go ]; do sleep 0.05; done' } }), textAnswer('Went on.')])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH', {}, WINDOW)
  await tty.saw('ask mode')
  tty.type('work\r')
  await tty.saw('running bash')
  tty.type('half typed')
  await tty.saw('half typed')
  await pause(500)
  await box.home.write('.config/dsh/settings.yml', 'rows:\n  ui-repl:\n    keys: vi\n')
  await tty.saw('until [ -e go ]')
  await tty.saw('INSERT')
  // The file of what was typed is read after the first frame.
  await pause(500)
  tty.type('\u001b[A')
  await tty.saw('half typed')
  await writeFile(join(box.workspace.path, 'go'), '')
  await tty.saw('Went on.')
  expect((await tty.screen()).filter(line => line.startsWith('● bash until'))).toHaveLength(1)
  tty.type('\u0003\u0003\u0003')
  await tty.ended
})

it('says of a command of the user that it runs, and that Esc stops it', async () => {
  await using server = await provider([])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH', {}, WINDOW)
  await tty.saw('ask mode')
  tty.type('!sleep 60\r')
  await tty.saw('Esc stops')
  tty.type(ESC)
  await tty.saw('stopped')
  tty.type(CTRL_D)
  expect((await tty.ended).code).toBe(0)
})

it('leaves a list and the search with Ctrl-C, without a word and without what is typed', async () => {
  await using server = await provider([])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH', {}, WINDOW)
  await tty.saw('ask mode')
  tty.type('/model\r')
  await tty.saw('model (now')
  tty.type('\u0003')
  await pause(300)
  tty.type('a draft')
  await tty.saw('a draft')
  tty.type('\u0012')
  await tty.saw('Search what was typed')
  tty.type('\u0003')
  await expect.poll(() => tty.visible()).toContain('a draft')
  expect((await tty.screen()).filter(line => /stopped|once more|Search/.test(line))).toEqual([])
  tty.type('\u0003\u0003\u0003')
  await tty.ended
})

it('runs a command of the shell that stands on the command line', async () => {
  await using box = await sandbox()
  const tty = await terminal(box, `$DSH '!echo $((40+2)) of the shell'`, { TERM_PROGRAM: 'vscode' })
  await tty.saw('42 of the shell')
  tty.type(CTRL_D)
  expect((await tty.ended).code).toBe(0)
})
