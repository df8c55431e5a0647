/** Writes a message in the user's own editor. The terminal must have been given back before. */

import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
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

/**
 * What `text` has become when the editor ends; a line feed that the editor put
 * at its end is not counted. The file is private and removed. Rejects with
 * `EDITOR_FAILED` when the editor cannot be started or ends with a failure.
 */
export async function editExternally(text: string, command: string, env: NodeJS.ProcessEnv): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dsh-prompt-'))
  try {
    const file = join(folder, 'prompt.md')
    await writeFile(file, text, { mode: 0o600 })
    await run(command, file, env)
    const { size } = await stat(file)
    if (size > MOST_BYTES) throw new HarnessError('EDITOR_FAILED', `the editor left ${size} bytes, which is too much for a message`)
    const edited = (await readFile(file, 'utf8')).replace(/\r\n?/g, '\n')
    return edited.endsWith('\n') && !text.endsWith('\n') ? edited.slice(0, -1) : edited
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function run(command: string, file: string, env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', `${command} "$1"`, 'sh', file], { stdio: 'inherit', env })
    child.once('error', error => reject(new HarnessError('EDITOR_FAILED', `cannot run the editor: ${error.message}`, { cause: error })))
    child.once('close', (code, signal) => {
      if (code === 0) resolve()
      else reject(new HarnessError('EDITOR_FAILED', `the editor (${command}) ended ${signal === null ? `with code ${code}` : `by ${signal}`}; what was typed is as it was`))
    })
  })
}
