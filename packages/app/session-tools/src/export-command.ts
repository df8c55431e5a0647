/** `dsh sessions export` and `show`: one session, to read or to pass on. */

import { chmod, open } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { describeError, HarnessError } from '@deepseek-ai/dsh-errors'
import { EXIT, type ExitCode } from '@deepseek-ai/dsh-front-door'
import type { SessionPersistence, StoredSession } from '@deepseek-ai/dsh-session-persistence'
import { createMask, renderHtml, renderJson, renderMarkdown, renderText, type Mask } from '@deepseek-ai/dsh-session-render'
import { stripControls } from '@deepseek-ai/dsh-text'
import type { ExportFormat, SessionsCall, SessionTools } from './types.ts'

const BY_EXTENSION: Readonly<Record<string, ExportFormat>> = { '.md': 'markdown', '.markdown': 'markdown', '.json': 'json', '.html': 'html', '.htm': 'html' }

const RENDERERS: Readonly<Record<ExportFormat, (stored: StoredSession, mask: Mask) => string>> = { markdown: renderMarkdown, json: renderJson, html: renderHtml }

/** Nobody but its owner reads what is shown, so nothing is masked. */
export async function showCommand(persistence: SessionPersistence, { id }: { id: string }, { terminal, json, signal }: SessionTools): Promise<ExitCode> {
  const stored = await persistence.load(await persistence.find(id, signal), signal)
  terminal.stdout.write(json ? renderJson(stored, text => text) : renderText(stored))
  return EXIT.completed
}

/** What leaves is masked. Throws `USAGE` for a file that cannot be written. */
export async function exportCommand(persistence: SessionPersistence, { id, format, output }: Extract<SessionsCall, { verb: 'export' }>, { cwd, env, terminal, signal }: SessionTools): Promise<ExitCode> {
  const stored = await persistence.load(await persistence.find(id, signal), signal)
  const chosen = format ?? BY_EXTENSION[extname(output ?? '').toLowerCase()] ?? 'markdown'
  const text = RENDERERS[chosen](stored, createMask(env))
  if (output === undefined) {
    terminal.stdout.write(text)
    return EXIT.completed
  }
  const file = resolve(cwd, output)
  await writePrivately(file, text)
  terminal.stderr.write(stripControls(`dsh: wrote ${file}\n`))
  return EXIT.completed
}

/** Readable for its owner alone from before the first byte, also where a wider file stood. */
async function writePrivately(file: string, text: string): Promise<void> {
  try {
    await using handle = await open(file, 'w', 0o600)
    await chmod(file, 0o600)
    await handle.writeFile(text)
  } catch (error) {
    throw new HarnessError('USAGE', `-o: ${file} cannot be written: ${describeError(error)}`, { cause: error })
  }
}
