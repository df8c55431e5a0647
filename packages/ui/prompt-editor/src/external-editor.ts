/** Writes a message in the user's own editor. The terminal must have been given back before. */

import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { HarnessError } from '@deepseek-ai/dsh-errors'

/** A text beyond this is no message. */
const MOST_BYTES = 8 * 1024 * 1024

/** `$VISUAL`, else `$EDITOR`: a command of the shell, with arguments and quotes as one writes them there. Throws `NO_EDITOR` when neither is set. */
export function editorCommand(env: NodeJS.ProcessEnv): string {
  const command = [env['VISUAL'], env['EDITOR']].find(each => each !== undefined && each.trim() !== '')
  if (command === undefined) throw new HarnessError('NO_EDITOR', 'no editor is set: export VISUAL or EDITOR, for example EDITOR=nano')
  return command
}

/** An editor that did not end well. */
export class EditorError extends HarnessError {
  /** What it had saved before it was ended from outside, where that is something else than it was given. */
  readonly saved: string | undefined

  constructor(code: 'EDITOR_FAILED' | 'EDITOR_KILLED', message: string, { saved, ...options }: ErrorOptions & { saved?: string } = {}) {
    super(code, message, options)
    this.saved = saved
  }
}

/**
 * What `text` has become when the editor ends; a line feed that the editor put
 * at its end is not counted. The file is private and removed. Rejects with an
 * `EditorError`: `EDITOR_FAILED` when the editor cannot be started or says that
 * it failed, and `EDITOR_KILLED` when a signal ended it, which may leave the
 * terminal in a mode of the editor's.
 */
export async function editExternally(text: string, command: string, env: NodeJS.ProcessEnv): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dsh-prompt-'))
  try {
    const file = join(folder, 'prompt.md')
    await writeFile(file, text, { mode: 0o600 })
    const end = await run(command, file, env)
    if (end.kind === 'failed') throw new EditorError('EDITOR_FAILED', `the editor (${command}) ${end.how}; what was typed is as it was`)
    if (end.kind === 'ended') return await take(file, text)
    // Where it left nothing that can be read, what was typed stays.
    const saved = await take(file, text).catch(() => text)
    if (saved === text) throw new EditorError('EDITOR_KILLED', `the editor (${command}) was ended by ${end.signal}; what was typed is as it was`)
    throw new EditorError('EDITOR_KILLED', `the editor (${command}) was ended by ${end.signal}; what it had saved before is here`, { saved })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function take(file: string, text: string): Promise<string> {
  const { size } = await stat(file)
  if (size > MOST_BYTES) throw new EditorError('EDITOR_FAILED', `the editor left ${size} bytes, which is too much for a message; what was typed is as it was`)
  const edited = (await readFile(file, 'utf8')).replace(/\r\n?/g, '\n')
  return edited.endsWith('\n') && !text.endsWith('\n') ? edited.slice(0, -1) : edited
}

type End = { kind: 'ended' } | { kind: 'failed'; how: string } | { kind: 'killed'; signal: string }

/** The settings of the terminal are what they were, however the editor ends; where there is none, there is nothing to bring back. */
const SCRIPT = (command: string): string => `saved=$(stty -g 2>/dev/null)
${command} "$1"
code=$?
if [ -n "$saved" ]; then stty "$saved" 2>/dev/null; fi
exit $code`

/** Above it, shells tell the signal that ended a command. */
const SIGNALLED = 128

function run(command: string, file: string, env: NodeJS.ProcessEnv): Promise<End> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', SCRIPT(command), 'sh', file], { stdio: 'inherit', env })
    child.once('error', error => reject(new EditorError('EDITOR_FAILED', `cannot run the editor: ${error.message}`, { cause: error })))
    child.once('close', (code, signal) => resolve(endOf(code ?? 0, signal)))
  })
}

function endOf(code: number, signal: NodeJS.Signals | null): End {
  if (signal !== null) return { kind: 'killed', signal }
  if (code === 0) return { kind: 'ended' }
  const name = Object.entries(constants.signals).find(([, number]) => number === code - SIGNALLED)?.[0]
  if (name !== undefined) return { kind: 'killed', signal: name }
  return { kind: 'failed', how: code === 127 ? 'was not found' : code === 126 ? 'cannot be executed' : `ended with code ${code}` }
}
