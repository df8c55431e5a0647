/** The window around a conversation: its title, whether somebody looks, its size while something is written, what has scrolled away. */

import { callAnswer, textAnswer, answer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { provider, sandbox } from './program.ts'
import { CTRL_D, terminal } from './terminal.ts'

const ENV = { TERM_PROGRAM: 'vscode' }
const SETTINGS = '.config/dsh/settings.yml'
const FOCUS_OUT = '\u001b[O'
const FOCUS_IN = '\u001b[I'

it('is called when nobody looks: at the end of a long turn and for a question; and is named after the session', async () => {
  await using server = await provider([callAnswer({ name: 'bash', arguments: { command: 'touch x' } }), textAnswer('One.'), textAnswer('Two.')])
  await using box = await sandbox({}, server)
  await box.home.write(SETTINGS, 'rows:\n  ui-repl: { notify: osc9, afterSeconds: 0 }\n')
  const tty = await terminal(box, '$DSH', ENV)

  await tty.saw('ask mode')
  tty.type(`${FOCUS_OUT}do\u0020it\r`)
  await tty.saw('\u001b]0;dsh: do it\u0007')
  await tty.saw('\u001b]9;may bash run?\u0007')
  await tty.saw('allow bash?')
  tty.type('y')
  await tty.saw('\u001b]9;done\u0007')
  tty.type(FOCUS_IN)
  tty.type('/title A new name\r')
  await tty.saw('\u001b]0;dsh: A new name\u0007')
  tty.type('again\r')
  await tty.saw('Two.')
  tty.type(CTRL_D)
  const { code, output } = await tty.ended

  expect(code).toBe(0)
  expect(output.split('\u001b]9;').length - 1).toBe(2)
  expect(output).not.toContain('\u001b[Idsh')
})

it('says nothing and has no name where that is not wanted', async () => {
  await using server = await provider([textAnswer('One.')])
  await using box = await sandbox({}, server)
  await box.home.write(SETTINGS, 'rows:\n  ui-repl: { notify: "off", afterSeconds: 0, title: false }\n')
  const tty = await terminal(box, '$DSH', ENV)

  await tty.saw('ask mode')
  tty.type(`${FOCUS_OUT}go\r`)
  await tty.saw('One.')
  tty.type(CTRL_D)
  const { code, output } = await tty.ended

  expect(code).toBe(0)
  // Questions to the terminal, about its keyboard and its colours, have the same beginning.
  // oxlint-disable-next-line no-control-regex
  expect(output.replaceAll(/\u001b\](?:7501|10|11);\?\u001b\\/g, '').match(/\u001b\]|\u0007|\u001b\[\?1004|\u001b\[2[23];0t/g)).toBe(null)
})

it('may change its size while an answer is written; every line stands once in what can be scrolled back to', async () => {
  const words = Array.from({ length: 120 }, (_, i) => `paragraph ${i}.\n\n`)
  await using server = await provider([answer({ text: words, delayMs: 15 }), textAnswer('END')])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH', ENV, { columns: 80, rows: 24 })

  await tty.saw('ask mode')
  tty.type('go\r')
  for (const [at, columns, rows] of [[10, 60, 24], [30, 100, 30], [50, 40, 12], [70, 120, 40], [90, 80, 24]] as const) {
    await tty.saw(`paragraph ${at}.`)
    tty.resize(columns, rows)
  }
  await tty.saw('paragraph 119.')
  tty.type('more\r')
  await tty.saw('END')
  tty.type(CTRL_D)
  expect((await tty.ended).code).toBe(0)

  const lines = (await tty.screen()).filter(line => line.startsWith('paragraph'))
  expect(lines).toEqual(Array.from({ length: 120 }, (_, i) => `paragraph ${i}.`))
  expect((await tty.screen()).filter(line => line.startsWith('─'))).toEqual([])
})

it('takes keys while a very long text of a command is being shown', async () => {
  await using server = await provider([textAnswer('unused')])
  await using box = await sandbox({}, server)
  await box.workspace.write('.dsh/commands/long.md', 'x')
  await box.home.write('plugin/show.mjs', `export const name = 'show'\nexport const inject = ['commands']\nexport function apply(ctx) { ctx.commands.register({ name: 'show-much', description: 'much', run: async () => ({ kind: 'show', markdown: Array.from({ length: 4000 }, (_, i) => '- line ' + i + ' **bold** \\\`code\\\` and some words to fill it up').join('\\n\\n') + '\\n\\nLAST' }) }) }\n`)
  await box.home.write(SETTINGS, `plugins:\n  - { id: show, name: ${box.home.resolve('plugin/show.mjs')} }\n`)
  const tty = await terminal(box, '$DSH', ENV)

  await tty.saw('ask mode')
  tty.type('/show-much \r')
  await tty.saw('line 100 ')
  tty.type('typed')
  await tty.saw('typed')
  const atTyped = tty.output.length
  await tty.saw('LAST')
  tty.type('\u0003')
  await new Promise(resolve => setTimeout(resolve, 300))
  tty.type(CTRL_D)

  expect((await tty.ended).code).toBe(0)
  expect(tty.output.indexOf('LAST')).toBeGreaterThan(atTyped)
})
