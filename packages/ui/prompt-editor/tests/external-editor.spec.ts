import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { editExternally, editorCommand } from '../src/index.ts'

let folder = ''
/** Of others who run the program on this machine. */
let others: string[] = []
beforeEach(async () => {
  others = folders()
  folder = await mkdtemp(join(tmpdir(), 'dsh-editor-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function program(script: string): Promise<string> {
  const path = join(folder, 'my editor')
  await writeFile(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o755)
  return `"${path}"`
}

const folders = (): string[] => readdirSync(tmpdir()).filter(name => name.startsWith('dsh-prompt-'))
const left = (): string[] => folders().filter(name => !others.includes(name))

it('gives the text in a private Markdown file to a command with quotes and arguments, and takes it back exactly', async () => {
  const log = join(folder, 'log')
  const editor = await program(`shift; stat -c '%a' "$1" "$(dirname "$1")" > '${log}'; cat "$1" >> '${log}'; basename "$1" >> '${log}'; printf 'edited\\r\\n\\ttab\\n' > "$1"`)

  expect(await editExternally('typed\n\ttext', `${editor} --wait`, process.env)).toBe('edited\n\ttab')
  expect(readFileSync(log, 'utf8')).toBe('600\n700\ntyped\n\ttextprompt.md\n')
  expect(left()).toEqual([])
})

it('says how an editor failed, and removes the file', async () => {
  await expect(editExternally('x', await program('exit 3'), process.env)).rejects.toMatchObject({ code: 'EDITOR_FAILED', message: expect.stringContaining('ended with code 3') })
  await expect(editExternally('x', '/nowhere/ed 2>/dev/null', process.env)).rejects.toMatchObject({ code: 'EDITOR_FAILED', message: expect.stringContaining('/nowhere/ed 2>/dev/null) was not found; what was typed is as it was') })
  await expect(editExternally('x', `${folder} 2>/dev/null`, process.env)).rejects.toMatchObject({ code: 'EDITOR_FAILED', message: expect.stringContaining('cannot be executed') })
  expect(left()).toEqual([])
})

it.each([
  ['kill -9 $$', 'was ended by SIGKILL; what was typed is as it was', undefined],
  ['printf "saved\\n" > "$1"; kill -15 $$', 'was ended by SIGTERM; what it had saved before is here', 'saved'],
  ['rm "$1"; kill -9 $$', 'was ended by SIGKILL; what was typed is as it was', undefined],
])('says that an editor was killed, and keeps what it had saved: %s', async (script, message, saved) => {
  await expect(editExternally('x', `${await program(script)} 2>/dev/null`, process.env)).rejects.toMatchObject({ code: 'EDITOR_KILLED', message: expect.stringContaining(message) as string, saved })
  expect(left()).toEqual([])
})

it.each([
  ['rm "$1"', 'has removed the file that it was given'],
  ['rm "$1"; mkdir "$1"', 'left something that is not a file'],
  ['rm "$1"; mkfifo "$1"', 'left something that is not a file'],
])('says in words that nothing can be taken back, and what was typed is kept: %s', async (script, message) => {
  await expect(editExternally('x', await program(script), process.env)).rejects.toMatchObject({ code: 'EDITOR_FAILED', message: expect.stringMatching(new RegExp(`my editor"\\) ${message.replace('(', '\\(')}.*; what was typed is as it was$`)) as string })
  expect(left()).toEqual([])
})

it('says that what was typed cannot be handed over', async () => {
  vi.stubEnv('TMPDIR', join(folder, 'nowhere'))
  onTestFinished(() => void vi.unstubAllEnvs())
  await expect(editExternally('x', 'true', process.env)).rejects.toMatchObject({ code: 'EDITOR_FAILED', message: expect.stringContaining('what was typed cannot be handed to the editor: ENOENT') as string })
})

it.each([
  ['that cleans up', 'trap "exit 7" TERM', 'SIGTERM'],
  ['that does not listen', 'trap "" TERM', 'SIGKILL'],
])('ends an editor %s, and what it has started, when it is told to, and keeps what was saved', async (_, trap, signal) => {
  const pids = join(folder, 'pids')
  const editor = await program(`${trap}\nprintf saved > "$1"\nsleep 300 &\necho $! $$ > '${pids}'\nwhile [ -e '${pids}' ]; do sleep 0.1; done`)
  const wanted = new AbortController()
  const over = editExternally('x', editor, process.env, { signal: wanted.signal, atExit: () => undefined })
  await vi.waitFor(() => expect(readFileSync(pids, 'utf8')).toMatch(/\n/))

  wanted.abort()

  await expect(over).rejects.toMatchObject({ code: 'EDITOR_KILLED', message: expect.stringContaining(`was ended by ${signal}`) as string, saved: 'saved' })
  expect(left()).toEqual([])
  const alive = (pid: string): boolean => existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  expect(readFileSync(pids, 'utf8').trim().split(' ').filter(alive)).toEqual([])
})

it('takes VISUAL before EDITOR, and says what to do when there is neither', () => {
  expect([editorCommand({ VISUAL: 'code --wait', EDITOR: 'vi' }), editorCommand({ VISUAL: ' ', EDITOR: 'vi' })]).toEqual(['code --wait', 'vi'])
  expect(() => editorCommand({})).toThrow('export VISUAL or EDITOR')
})
