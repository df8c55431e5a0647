/** Writes a message in the user's own editor. The terminal must have been given back before. */

import { spawn } from 'node:child_process'
import { readFileSync, rmSync, statSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describeError, HarnessError } from '@deepseek-ai/dsh-errors'
import type { Loan } from '@deepseek-ai/dsh-terminal-view'
import { endStarted, endStartedNow } from './end-started.ts'

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
 * `EditorError`: `EDITOR_FAILED` when the editor cannot be started, says that it
 * failed or leaves nothing that can be read, and `EDITOR_KILLED` when a signal
 * ended it, which may leave the terminal in a mode of the editor's. `loan` says
 * when it has to end.
 */
export async function editExternally(text: string, command: string, env: NodeJS.ProcessEnv, loan?: Loan): Promise<string> {
  const file = await putDown(text)
  try {
    const end = await run({ file, text, command, env, loan })
    if (end.kind === 'failed') throw new EditorError('EDITOR_FAILED', `the editor (${command}) ${end.how}; what was typed is as it was`)
    if (end.kind === 'ended') return await take(file, text, command)
    // Where it left nothing that can be read, what was typed stays.
    const saved = await take(file, text, command).catch(() => text)
    if (saved === text) throw new EditorError('EDITOR_KILLED', `the editor (${command}) was ended by ${end.signal}; what was typed is as it was`)
    throw new EditorError('EDITOR_KILLED', `the editor (${command}) was ended by ${end.signal}; what it had saved before is here`, { saved })
  } finally {
    await rm(dirname(file), { recursive: true, force: true })
  }
}

/** In a folder of its own. */
async function putDown(text: string): Promise<string> {
  try {
    const file = join(await mkdtemp(join(tmpdir(), 'dsh-prompt-')), 'prompt.md')
    await writeFile(file, text, { mode: 0o600 })
    return file
  } catch (error) {
    throw new EditorError('EDITOR_FAILED', `what was typed cannot be handed to the editor: ${describeError(error)}`, { cause: error })
  }
}

async function take(file: string, text: string, command: string): Promise<string> {
  const found = await stat(file).catch((error: unknown) => complain(error, command))
  // To read from a pipe waits for somebody who writes into it.
  if (!found.isFile()) throw new EditorError('EDITOR_FAILED', `the editor (${command}) left something that is not a file; what was typed is as it was`)
  const { size } = found
  if (size > MOST_BYTES) throw new EditorError('EDITOR_FAILED', `the editor left ${size} bytes, which is too much for a message; what was typed is as it was`)
  return withoutLastFeed(await readFile(file, 'utf8').catch((error: unknown) => complain(error, command)), text)
}

function complain(error: unknown, command: string): never {
  const how = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'has removed the file that it was given' : `left what cannot be read (${describeError(error)})`
  throw new EditorError('EDITOR_FAILED', `the editor (${command}) ${how}; what was typed is as it was`, { cause: error })
}

function withoutLastFeed(left: string, text: string): string {
  const edited = left.replace(/\r\n?/g, '\n')
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

/** An editor that is asked to end may write something down first; less time is there when the process itself is ending. */
const GRACE_MS = 1000
const EXIT_GRACE_MS = 300

interface Editing {
  file: string
  text: string
  command: string
  env: NodeJS.ProcessEnv
  loan: Loan | undefined
}

async function run({ file, text, command, env, loan }: Editing): Promise<End> {
  loan?.signal.throwIfAborted()
  const child = spawn('/bin/sh', ['-c', SCRIPT(command), 'sh', file], { stdio: 'inherit', env })
  const { promise, resolve, reject } = Promise.withResolvers<End>()
  child.once('error', error => reject(new EditorError('EDITOR_FAILED', `cannot run the editor: ${error.message}`, { cause: error })))
  child.once('close', (code, signal) => resolve(endOf(code ?? 0, signal)))
  const { pid } = child
  if (pid === undefined || !loan) return await promise
  loan.atExit(() => {
    endStartedNow(pid, EXIT_GRACE_MS)
    return putAway(file, text)
  })
  const recall = (): void => {
    // The shell, too, has gone by then, or hangs in the system and is not waited for.
    endStarted(pid, GRACE_MS).then(() => resolve({ kind: 'killed', signal: 'SIGKILL' }), reject)
  }
  loan.signal.addEventListener('abort', recall, { once: true })
  try {
    const end = await promise
    return loan.signal.aborted && end.kind === 'failed' ? { kind: 'killed', signal: 'SIGTERM' } : end
  } finally {
    loan.signal.removeEventListener('abort', recall)
  }
}

/** Nobody is there to take what the editor had saved: it stays where it is, and that is said. */
function putAway(file: string, text: string): string | undefined {
  try {
    if (!statSync(file).isFile() || withoutLastFeed(readFileSync(file, 'utf8'), text) !== text) return `what the editor had saved is in ${file}`
    rmSync(dirname(file), { recursive: true, force: true })
    return undefined
  } catch (error) {
    return `what the editor left cannot be read: ${describeError(error)}`
  }
}

function endOf(code: number, signal: NodeJS.Signals | null): End {
  if (signal !== null) return { kind: 'killed', signal }
  if (code === 0) return { kind: 'ended' }
  const name = Object.entries(constants.signals).find(([, number]) => number === code - SIGNALLED)?.[0]
  if (name !== undefined) return { kind: 'killed', signal: name }
  return { kind: 'failed', how: code === 127 ? 'was not found' : code === 126 ? 'cannot be executed' : `ended with code ${code}` }
}
