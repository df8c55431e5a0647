/** `dsh sessions delete` and `rename`: what changes sessions. */

import { describeError, HarnessError } from '@deepseek-ai/dsh-errors'
import { describeSessionError, EXIT, exitCodeOfError, shortId, type ExitCode } from '@deepseek-ai/dsh-front-door'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import type { SessionPersistence } from '@deepseek-ai/dsh-session-persistence'
import { plural, stripControls } from '@deepseek-ai/dsh-text'
import { asking } from './ask.ts'
import { clipTitle } from './format.ts'
import type { SessionTools } from './types.ts'

/** All are found before any is removed. Asks in a terminal; elsewhere it takes `--force`. */
export async function deleteCommand(persistence: SessionPersistence, { ids, force }: { ids: string[]; force: boolean }, tools: SessionTools): Promise<ExitCode> {
  const { terminal, signal } = tools
  const whole = await findAll(persistence, ids, signal)
  if (!force && !(await mayDelete(persistence, whole, tools))) {
    terminal.stderr.write('dsh: nothing was deleted\n')
    return EXIT.error
  }
  return await forEach(whole, tools, async id => {
    await persistence.delete(id, signal)
    return `deleted ${id}`
  })
}

async function mayDelete(persistence: SessionPersistence, ids: readonly string[], tools: SessionTools): Promise<boolean> {
  const { terminal, signal } = tools
  if (terminal.stdin.isTTY !== true || terminal.stderr.isTTY !== true) throw new HarnessError('USAGE', 'dsh sessions delete asks in a terminal; elsewhere it needs --force')
  const summaries = await Promise.all(ids.map(id => persistence.summary(id, signal)))
  const lines = summaries.map(({ id, title }) => `  ${shortId(id)}  ${clipTitle(title)}\n`)
  terminal.stderr.write(stripControls(lines.join('')))
  const answer = await asking(tools, ask => ask(`Delete ${plural(ids.length, 'session')} for good (y/n)? `))
  return /^y(es)?$/i.test(answer?.trim() ?? '')
}

/** Appends a `session/title`; an earlier title stays in the log. */
export async function renameCommand(persistence: SessionPersistence, { id, title }: { id: string; title: string }, { terminal, signal }: SessionTools): Promise<ExitCode> {
  const whole = await persistence.find(id, signal)
  const opening = await Promise.allSettled([persistence.open(whole, signal)])
  if (opening[0].status === 'rejected') return refused(opening[0].reason, whole, terminal)
  const { writer } = opening[0].value
  try {
    const event: SessionEvent<'session/title'> = { type: 'session/title', seq: writer.next, time: Date.now(), data: { title, source: { kind: 'user' } } }
    await writer.append([event])
    await writer.sync()
  } finally {
    await writer.close()
  }
  terminal.stderr.write(stripControls(`dsh: ${shortId(whole)} is now called ${clipTitle(title)}\n`))
  return EXIT.completed
}

async function findAll(persistence: SessionPersistence, ids: readonly string[], signal: AbortSignal): Promise<string[]> {
  const whole: string[] = []
  for (const id of ids) whole.push(await persistence.find(id, signal))
  return [...new Set(whole)]
}

/** One that fails keeps none of the others from its turn; the first failure is the exit code. */
async function forEach(ids: readonly string[], { terminal }: SessionTools, work: (id: string) => Promise<string>): Promise<ExitCode> {
  let code: ExitCode = EXIT.completed
  for (const id of ids) {
    try {
      terminal.stdout.write(`${stripControls(await work(id))}\n`)
    } catch (error) {
      const failure = refused(error, id, terminal)
      code = code === EXIT.completed ? failure : code
    }
  }
  return code
}

/** Says why the session cannot be changed, with its name where the way around it needs one. */
function refused(error: unknown, id: string, { stderr }: SessionTools['terminal']): ExitCode {
  if (!(error instanceof Error)) throw new Error(describeError(error))
  stderr.write(`dsh: ${stripControls(describeSessionError(error, id))}\n`)
  return exitCodeOfError(error)
}
