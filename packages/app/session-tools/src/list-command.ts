/** `dsh sessions list` and `search`: what is stored, one line each. */

import { EXIT, shortId, type ExitCode } from '@deepseek-ai/dsh-front-door'
import type { SearchHit, SessionPersistence, SessionSummary } from '@deepseek-ai/dsh-session-persistence'
import { stringify } from '@deepseek-ai/dsh-session-render'
import { stripControls } from '@deepseek-ai/dsh-text'
import { alignColumns, clipTitle, formatAge, formatCost, formatSize } from './format.ts'
import type { SessionTools } from './types.ts'

const HEADINGS = ['ID', 'AGE', 'TURNS', 'SIZE', 'COST', 'MODEL', 'STATE', 'TITLE'] as const

/** JSON is the list of summaries as the store gives them; an empty list is no failure. */
export async function listCommand(persistence: SessionPersistence, { all }: { all: boolean }, { cwd, terminal, json, signal }: SessionTools): Promise<ExitCode> {
  const sessions = await persistence.list(all ? {} : { cwd }, signal)
  if (json) terminal.stdout.write(`${stringify(sessions)}\n`)
  else if (sessions.length > 0) terminal.stdout.write(renderList(sessions, { now: Date.now(), all }))
  else terminal.stderr.write(all ? 'dsh: no session is stored yet\n' : `dsh: no session of ${stripControls(cwd)}; --all lists those of other directories\n`)
  return EXIT.completed
}

/** A table, the latest first; with directories where they differ. Pure; safe to print. */
export function renderList(sessions: readonly SessionSummary[], { now, all }: { now: number; all: boolean }): string {
  const ids = shortIds(sessions)
  const rows = sessions.map((each, index) => [
    ids[index] ?? each.id,
    formatAge(now - each.lastActivity),
    String(each.turns),
    formatSize(each.bytes),
    formatCost(each.cost),
    each.models.at(-1) ?? '-',
    stateOf(each),
    all && each.cwd !== undefined ? `${clipTitle(each.title)}  (${each.cwd})` : clipTitle(each.title),
  ])
  const cells = rows.map(row => row.map(cell => stripControls(cell).replaceAll('\n', ' ')))
  return alignColumns([[...HEADINGS], ...cells])
}

/** Short where that still names one session only. */
function shortIds(sessions: readonly SessionSummary[]): string[] {
  const sorted = sessions.map(({ id }) => id).sort(byUnits)
  return sessions.map(({ id }) => {
    const short = shortId(id)
    // What begins with it stands side by side.
    const at = firstFrom(sorted, short)
    return sorted[at + 1]?.startsWith(short) === true ? id : short
  })
}

function byUnits(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

/** The index of the first that is not before `text`. */
function firstFrom(sorted: readonly string[], text: string): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? '') < text) low = middle + 1
    else high = middle
  }
  return low
}

function stateOf({ inUseBy, damage = [] }: SessionSummary): string {
  if (inUseBy) return `in use by ${inUseBy.pid}`
  return damage.length > 0 ? `damaged (${damage.map(({ kind }) => kind).join(', ')})` : '-'
}

/** JSON is the list of hits. Nothing found is exit code 1, as `grep` has it. */
export async function searchCommand(persistence: SessionPersistence, { query, all }: { query: string; all: boolean }, { cwd, terminal, json, signal }: SessionTools): Promise<ExitCode> {
  const hits = await persistence.search(query, all ? {} : { cwd }, signal)
  if (json) terminal.stdout.write(`${stringify(hits)}\n`)
  else if (hits.length > 0) terminal.stdout.write(renderHits(hits, Date.now()))
  else terminal.stderr.write(`dsh: no session${all ? '' : ' of this directory'} contains ${stripControls(JSON.stringify(query))}${all ? '' : '; --all looks in those of other directories'}\n`)
  return hits.length > 0 ? EXIT.completed : EXIT.error
}

function renderHits(hits: readonly SearchHit[], now: number): string {
  return hits.map(({ summary, seq, excerpt }) => stripControls(`${shortId(summary.id)}@${seq}  ${formatAge(now - summary.lastActivity)}  ${clipTitle(summary.title)}\n    ${excerpt.replaceAll('\n', ' ')}\n`)).join('')
}
