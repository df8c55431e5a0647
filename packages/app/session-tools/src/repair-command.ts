/** `dsh sessions repair`: makes sessions, or the whole store, sound, and says what was wrong and where it is kept. */

import { describeSessionError, EXIT, exitCodeOfError, shortId, type ExitCode } from '@deepseek-ai/dsh-front-door'
import type { Damage, RepairReport, SessionPersistence } from '@deepseek-ai/dsh-session-persistence'
import { stringify } from '@deepseek-ai/dsh-session-render'
import { plural, stripControls } from '@deepseek-ai/dsh-text'
import type { SessionTools } from './types.ts'

/** What came of it, and the document that `--json` prints. */
interface Repairs {
  /** What was wrong with what all sessions are kept in. */
  store: Damage[]
  /** Of the sessions that were named, or else of those that were not sound. */
  sessions: RepairReport[]
  /** Sessions that were looked at. */
  checked: number
  failures: { id: string; message: string; code: ExitCode }[]
}

/** Without ids everything is checked. A session that cannot be repaired keeps none of the others from it; the first failure is the exit code. */
export async function repairCommand(persistence: SessionPersistence, { ids }: { ids: string[] }, { terminal, json, signal }: SessionTools): Promise<ExitCode> {
  const repairs = ids.length > 0 ? await repairSome(persistence, ids, signal) : await repairAll(persistence, signal)
  const { failures } = repairs
  terminal.stdout.write(json ? `${stringify(repairs)}\n` : stripControls(render(repairs, ids.length === 0)))
  if (!json) terminal.stderr.write(stripControls(failures.map(({ message }) => `dsh: ${message}\n`).join('')))
  return failures[0]?.code ?? EXIT.completed
}

/** All are found before any is changed. */
async function repairSome(persistence: SessionPersistence, ids: readonly string[], signal: AbortSignal): Promise<Repairs> {
  const whole = new Set<string>()
  for (const id of ids) whole.add(await persistence.find(id, signal))
  const repairs: Repairs = { store: [], sessions: [], checked: whole.size, failures: [] }
  for (const id of whole) await attempt(repairs, id, () => persistence.repair(id, signal))
  return repairs
}

async function repairAll(persistence: SessionPersistence, signal: AbortSignal): Promise<Repairs> {
  const store = await persistence.repairStore(signal)
  const summaries = await persistence.list({}, signal)
  const repairs: Repairs = { store, sessions: [], checked: summaries.length, failures: [] }
  for (const { id } of summaries) {
    await attempt(repairs, id, async () => {
      const { damage } = await persistence.load(id, signal)
      return damage.length > 0 ? await persistence.repair(id, signal) : undefined
    })
  }
  return repairs
}

async function attempt({ sessions, failures }: Repairs, id: string, work: () => Promise<RepairReport | undefined>): Promise<void> {
  try {
    const report = await work()
    if (report) sessions.push(report)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    failures.push({ id, message: describeSessionError(error, id), code: exitCodeOfError(error) })
  }
}

function render({ store, sessions, checked, failures }: Repairs, isAll: boolean): string {
  const lines = [...store.map(({ message, keptAside }) => `${message}${keptAside === undefined ? '' : `\n  kept aside: ${keptAside}`}`), ...sessions.map(renderReport)]
  if (isAll) lines.push(`${plural(checked, 'session')} checked, ${sessions.length} repaired${failures.length > 0 ? `, ${failures.length} left as they are` : ''}`)
  return lines.map(line => `${line}\n`).join('')
}

function renderReport({ id, damage, events, keptAside }: RepairReport): string {
  if (damage.length === 0) return `${shortId(id)} is sound (${plural(events, 'event')})`
  const kept = keptAside.length > 0 ? `\n  kept aside: ${keptAside.join(', ')}` : ''
  return `${shortId(id)} has ${plural(events, 'usable event')} now\n${damage.map(({ message }) => `  ${message}`).join('\n')}${kept}`
}
