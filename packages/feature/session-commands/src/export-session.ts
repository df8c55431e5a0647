/** Writes a session to a file that only its owner can read. */

import { open } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { describeError, HarnessError } from '@deepseek-ai/dsh-errors'
import type { Session } from '@deepseek-ai/dsh-session'
import { SummaryFold, type StoredSession } from '@deepseek-ai/dsh-session-persistence'
import { createMask, renderHtml, renderJson, renderMarkdown } from '@deepseek-ai/dsh-session-render'

const RENDERERS = { '.md': renderMarkdown, '.markdown': renderMarkdown, '.html': renderHtml, '.htm': renderHtml, '.json': renderJson } as const

/** Where it was written. Throws `USAGE` for a name of another kind, a file that exists, and one that cannot be written. */
export async function exportSession(session: Session, name: string): Promise<string> {
  const extension = extname(name).toLowerCase()
  if (!(extension in RENDERERS)) throw new HarnessError('USAGE', `what should ${name} be? Its name has to end in .md, .html or .json`)
  const file = resolve(session.header.cwd ?? '.', name)
  const text = RENDERERS[extension as keyof typeof RENDERERS](storedForm(session), createMask(process.env))
  try {
    await using handle = await open(file, 'wx', 0o600)
    await handle.writeFile(text)
  } catch (error) {
    throw new HarnessError('USAGE', `${file} cannot be written: ${describeError(error)}`, { cause: error })
  }
  return file
}

function storedForm({ header, events }: Session): StoredSession {
  const fold = new SummaryFold(header)
  for (const event of events) fold.advance(event)
  return { header, events: [...events], damage: [], summary: fold.summary(0) }
}
