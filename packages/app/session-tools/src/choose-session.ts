/** Finds the session that `-c`, `-r` and `--fork` mean, and the directory that it works in, before anything else is started. */

import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { HarnessError } from '@deepseek-ai/dsh-errors'
import { shortId, type SessionStart } from '@deepseek-ai/dsh-front-door'
import { PersistenceError, type SessionPersistence, type SessionSummary } from '@deepseek-ai/dsh-session-persistence'
import { stripControls } from '@deepseek-ai/dsh-text'
import { openStore } from './open-store.ts'
import { pickSession } from './pick-session.ts'
import type { SessionChoice, SessionTools } from './types.ts'

export interface ChosenSession {
  start: SessionStart
  /** Absolute. */
  cwd: string
}

export interface ChooseOptions extends SessionTools {
  /** Whether `cwd` was asked for, and is not just where the program was started. */
  isCwdGiven: boolean
}

/**
 * Undefined when nobody picked one. Throws `SESSION_NOT_FOUND` and its like, and
 * `USAGE` for a directory that is gone or is not the session's.
 */
export async function chooseSession(choice: SessionChoice, options: ChooseOptions): Promise<ChosenSession | undefined> {
  if (choice.kind === 'new') return { start: choice, cwd: options.cwd }
  if (choice.kind === 'resume' && choice.id === undefined && !isAttended(options)) {
    throw new HarnessError('USAGE', '--resume needs the id of a session where there is no terminal to pick one in; dsh sessions list shows them')
  }
  await using store = await openStore(options)
  const { persistence } = store
  if (choice.kind === 'fork') {
    const { from, until, id } = choice
    const parent = await persistence.summary(await persistence.find(from, options.signal), options.signal)
    const cwd = options.isCwdGiven ? options.cwd : (parent.cwd ?? options.cwd)
    mustExist(parent, cwd)
    return { start: { kind: 'fork', from: parent.id, ...(until !== undefined && { until }), ...(id !== undefined && { id }) }, cwd }
  }
  const summary = choice.kind === 'continue' ? await latest(persistence, options) : await resumed(persistence, choice.id, options)
  if (!summary) return undefined
  return { start: { kind: 'resume', id: summary.id }, cwd: cwdOf(summary, options) }
}

function isAttended({ terminal: { stdin, stderr } }: SessionTools): boolean {
  return stdin.isTTY === true && stderr.isTTY === true
}

/** Undefined when it was to be picked and was not. */
async function resumed(persistence: SessionPersistence, id: string | undefined, options: SessionTools): Promise<Pick<SessionSummary, 'id' | 'cwd'> | undefined> {
  if (id === undefined) return await pickSession(persistence, options)
  return await persistence.summary(await persistence.find(id, options.signal), options.signal)
}

/** One that cannot be opened is told of and passed over. */
async function latest(persistence: SessionPersistence, { cwd, terminal, signal }: SessionTools): Promise<SessionSummary> {
  const [first] = await persistence.list({ cwd, limit: 1 }, signal)
  if (first && !whyClosed(first)) return first
  for (const summary of first ? await persistence.list({ cwd }, signal) : []) {
    const why = whyClosed(summary)
    if (why === undefined) return summary
    terminal.stderr.write(stripControls(`dsh: passing over ${shortId(summary.id)}: ${why}\n`))
  }
  throw new PersistenceError('SESSION_NOT_FOUND', `there is no session of ${cwd} to continue; dsh sessions list --all shows those of other directories`)
}

/** Why nothing of it can be read; other damage is put aside when it is opened. */
function whyClosed({ damage = [] }: SessionSummary): string | undefined {
  return damage.find(({ kind }) => kind === 'header' || kind === 'version' || kind === 'unreadable')?.message
}

/** A session goes on where it began: tools, display and permissions all go by its own directory. */
function cwdOf(summary: Pick<SessionSummary, 'id' | 'cwd'>, { cwd, isCwdGiven }: ChooseOptions): string {
  const own = summary.cwd ?? cwd
  mustExist(summary, own)
  if (isCwdGiven && !isSame(own, cwd)) {
    throw new HarnessError('USAGE', `the session ${shortId(summary.id)} works in ${own}; to go on elsewhere, fork it: dsh --fork ${shortId(summary.id)} --cwd ${cwd}`)
  }
  return own
}

function mustExist({ id }: Pick<SessionSummary, 'id'>, cwd: string): void {
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === true) return
  throw new HarnessError('USAGE', `the directory of the session ${shortId(id)} does not exist any more: ${cwd}; to go on elsewhere, fork it: dsh --fork ${shortId(id)} --cwd DIR`)
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [statSync(one, { throwIfNoEntry: false }), statSync(other, { throwIfNoEntry: false })]
  return resolve(one) === resolve(other) || (a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino)
}
