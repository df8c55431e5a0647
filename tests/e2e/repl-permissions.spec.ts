/** An answer that one is sorry for: seen, taken back, and asked about again, also in the next run. */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { callAnswer, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { provider, sandbox } from './program.ts'
import { CTRL_C, CTRL_D, terminal } from './terminal.ts'

const WINDOW = { columns: 80, rows: 24 }
const TOUCH = callAnswer({ name: 'bash', arguments: { command: 'touch P' } })

it('takes back what was allowed in the session, from a list, and the next call asks again, also after a resume', async () => {
  await using server = await provider([TOUCH, textAnswer('One.'), TOUCH, textAnswer('Two.'), TOUCH, textAnswer('Three.'), TOUCH, textAnswer('Four.')])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH', {}, WINDOW)
  await tty.saw('ask mode')
  tty.type('go\r')
  await tty.saw('allow bash?')
  await tty.saw('[s]')
  tty.type('s')
  await tty.saw('One.')
  tty.type('again\r')
  await tty.saw('Two.')

  tty.type('/permissions\r')
  await tty.saw('Allowed by your answers:')
  await tty.saw('when bash was asked')
  tty.type('/permissions revoke\r')
  await tty.saw('take back what was allowed')
  tty.type(CTRL_C)
  await tty.saw('Nothing was taken back')
  tty.type('/permissions revoke\r')
  await tty.saw('take back what was allowed')
  tty.type('\r')
  await tty.saw('Taken back: ')
  tty.type('once more\r')
  await tty.saw('allow bash?')
  await tty.saw('[n]')
  tty.type('n')
  await tty.saw('Three.')
  tty.type(CTRL_D)
  expect((await tty.ended).code).toBe(0)

  const next = await terminal(box, '$DSH -c', {}, WINDOW)
  await next.saw('ask mode')
  next.type('and now\r')
  await next.saw('allow bash?')
  await next.saw('[n]')
  next.type('n')
  await next.saw('Four.')
  next.type(CTRL_D)
  expect((await next.ended).code).toBe(0)
})

it('takes back what was allowed in the project out of its file, line by line too, as dsh explain permission says', async () => {
  await using server = await provider([TOUCH, textAnswer('One.'), TOUCH, textAnswer('Two.')])
  await using box = await sandbox({}, server)
  const verdict = async (): Promise<string> => (await box.run(['explain', 'permission', 'touch P'])).stdout.slice(0, 5).trim()
  const tty = await terminal(box, '$DSH --plain', {}, WINDOW)
  await tty.saw('> ')
  tty.type('go\r')
  await tty.saw('allow bash (')
  await tty.saw('[p]roject')
  tty.type('p\r')
  await tty.saw('One.')
  await tty.saw('> ')
  expect(await verdict()).toBe('allow')

  tty.type('/permissions revoke 2\r')
  await tty.saw('there is no number 2')
  tty.type('/permissions revoke 1\r')
  await tty.saw('Taken back: `bash(touch P)`')
  expect(await verdict()).toBe('ask')
  const folder = join(box.home.path, '.local/share/dsh/permissions')
  const [file = ''] = await readdir(folder)
  expect(await readFile(join(folder, file), 'utf8')).not.toContain('touch P')
  tty.type('again\r')
  await tty.saw('allow bash (')
  tty.type('n\r')
  await tty.saw('Two.')
  tty.type(CTRL_D)
  expect((await tty.ended).code).toBe(0)
})
