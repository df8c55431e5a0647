/** What is told beside the conversation stands within the screen, whole words in every line, however narrow it is; elsewhere it is on stderr. */

import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sandbox, type Sandbox } from './program.ts'
import { CTRL_D, terminal } from './terminal.ts'

const NO_KEY = { TERM_PROGRAM: 'vscode' }

const NOTICE = 'no key and no model chosen: the embedded offline model answers by rules. For a real one: /login, or export DEEPSEEK_API_KEY=…'

/** The words of every notice: a broken one is none of them. */
function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter(word => word !== '')
}

async function screenOf(box: Sandbox, columns: number, script = '$DSH'): Promise<{ lines: string[]; after: string[] }> {
  const tty = await terminal(box, script, NO_KEY, { columns, rows: 40 })
  await tty.saw('ask mode')
  await new Promise(resolve => setTimeout(resolve, 300))
  const lines = await tty.screen()
  tty.type('help\r')
  await tty.saw('stand-in')
  await tty.saw('ask mode')
  await new Promise(resolve => setTimeout(resolve, 500))
  tty.type(CTRL_D)
  expect((await tty.ended).code).toBe(0)
  return { lines, after: await tty.screen() }
}

it.each([40, 80, 200])('says within the screen that there is no key, at a width of %d', async columns => {
  await using box = await sandbox()
  const { lines, after } = await screenOf(box, columns)
  const first = lines.findIndex(line => line.startsWith('! no key'))
  const greeting = lines.findIndex(line => line.startsWith('dsh in '))
  const border = lines.findIndex(line => line.startsWith('──'))

  expect([greeting >= 0, first > greeting, border > first]).toEqual([true, true, true])
  expect(wordsOf(lines.slice(first, border).join('\n'))).toEqual(['!', ...wordsOf(NOTICE)])
  // The way back is written when the screen is gone.
  const farewell = after.slice(after.findIndex(line => line.startsWith('dsh: session')))
  expect(wordsOf(farewell.join('\n'))).toEqual(['dsh:', 'session', expect.stringMatching(/^\w+-[0-9a-f]{8};$/), 'dsh', '-r', expect.stringMatching(/^\w{9}$/), 'goes', 'on', 'with', 'it'])
})

it('tells within a narrow screen of a key that others can read, settings that are held back, and a row that failed', async () => {
  await using box = await sandbox({ '.dsh/settings.yml': 'plugins:\n  - { id: dice, name: ./dice.ts }\n' })
  await box.home.write('.config/dsh/credentials', 'DEEPSEEK_API_KEY=sk-x\n')
  await chmod(join(box.home.path, '.config/dsh/credentials'), 0o644)
  await box.home.write('.config/dsh/settings.yml', 'plugins:\n  - { id: gone, name: ./gone.ts }\n')
  const { lines } = await screenOf(box, 44)
  const text = lines.join(' ').replaceAll(/\s+/g, ' ')

  expect(text).toMatch(/! \S*credentials can be read by others and is not used; mend that with: chmod 600/)
  expect(text).toContain('dsh trust')
  expect(text).toMatch(/! going on without gone: /)
  expect(text.indexOf('dsh in ')).toBeLessThan(text.indexOf('can be read by others'))
})

it('breaks the list of sessions, and what keeps a run from beginning, at words', async () => {
  await using box = await sandbox()
  const words = ['-p', 'say one of many words that do not fit into the window']
  await box.run(words)
  const tty = await terminal(box, '$DSH -r', NO_KEY, { columns: 40, rows: 24 })
  await tty.saw('Enter: none)?')
  expect((await tty.screen()).map(line => line.replace(/^ {3}1 {2}\w{9}/, '   1  ID').trimEnd())).toEqual([
    'Sessions of this directory, the latest',
    'first:',
    expect.stringMatching(/^ {3}1 {2}ID +\S+ +1 turn {3}\w+( \w+)*$/),
    ...Array.from({ length: 2 }, () => expect.stringMatching(/^ {6}\w+( \w+)*$/) as string),
    'Which one (number, id; Enter: none)?',
  ])
  tty.type('1\r')
  await tty.saw('ask mode')
  const other = await terminal(box, '$DSH -c', NO_KEY, { columns: 40, rows: 24 })
  expect((await other.ended).code).toBe(4)
  expect(wordsOf((await other.screen()).join('\n'))).toEqual(expect.arrayContaining(['reads', 'it']) as string[])
  expect(wordsOf((await other.screen()).join('\n')).join(' ')).toMatch(/^dsh: .* in use .*; dsh --fork \w{9} goes on in a copy, dsh sessions show \w{9} reads it$/)
  tty.type(CTRL_D)
  await tty.ended
})

it('keeps it on stderr for lines and for one shot', async () => {
  await using box = await sandbox()
  const run = await box.run(['-p', 'help'])
  expect(run.stderr.split('\n')[0]).toBe('dsh: no key and no model chosen: the embedded offline model answers by rules. For a real one: dsh auth, or export DEEPSEEK_API_KEY=…')
  const tty = await terminal(box, '$DSH --plain 2>err', NO_KEY)
  await new Promise(resolve => setTimeout(resolve, 1500))
  tty.type(CTRL_D)
  await tty.ended
  expect((await box.workspace.read('err')).split('\n')[0]).toBe(`dsh: ${NOTICE}`)
})

it('loses no notice when the screen never comes', async () => {
  await using box = await sandbox()
  const tty = await terminal(box, '$DSH --permission nonsense', NO_KEY, { columns: 80, rows: 24 })
  const { output, code } = await tty.ended
  expect(code).toBe(2)
  expect(output).toContain('nonsense')
})
