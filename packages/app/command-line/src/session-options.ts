/** The options of the command line that choose a session. Pure. */

import type { SessionChoice } from '@deepseek-ai/dsh-session-tools'
import { UsageError } from './usage-error.ts'

/** What the command line says about the session of a run. */
export interface SessionOptions {
  choice: SessionChoice
  isStored: boolean
  title?: string
}

export interface SessionValues {
  continue?: boolean | undefined
  resume?: string | undefined
  fork?: string | undefined
  'session-id'?: string | undefined
  'no-session'?: boolean | undefined
  title?: string | undefined
}

/** Stores keep files of these names beside a session. */
const SIDE_FILE = /\.(?:stream|lock|meta|damaged-\d+)$/i

/** Stands for the id that somebody is going to pick: no id begins with a dash. */
const TO_BE_PICKED = '-'

/** `--resume` may stand without an id: at the end, and before another option. */
export function completeResume(args: readonly string[]): string[] {
  const end = args.indexOf('--')
  const options = end < 0 ? args : args.slice(0, end)
  const rest = end < 0 ? [] : args.slice(end)
  return [...options.map((arg, i) => (/^(?:--resume|-r)$/.test(arg) && (options[i + 1]?.startsWith('-') ?? true) ? `--resume=${TO_BE_PICKED}` : arg)), ...rest]
}

/** Undefined when nothing is said. Throws `UsageError` for what excludes each other and for ids that cannot be. */
export function readSessionOptions(values: SessionValues): SessionOptions | undefined {
  const { continue: latest, resume, fork, 'session-id': id, 'no-session': unstored = false, title } = values
  const chosen = [latest && '--continue', resume !== undefined && '--resume', fork !== undefined && '--fork'].filter(option => typeof option === 'string')
  if (chosen.length > 1) throw new UsageError(`${chosen.join(' and ')} exclude each other`)
  const goesOn = latest === true || resume !== undefined
  if (goesOn && id !== undefined) throw new UsageError(`--session-id names a new session; ${chosen[0]} goes on with an old one`)
  if (goesOn && unstored) throw new UsageError(`--no-session keeps nothing; ${chosen[0]} goes on with what is kept (dsh --fork ID --no-session goes on in a copy)`)
  if (title?.trim() === '') throw new UsageError('--title takes a value that is not empty')
  if (chosen.length === 0 && id === undefined && !unstored && title === undefined) return undefined
  return { choice: choiceOf(values), isStored: !unstored, ...(title !== undefined && { title: title.trim() }) }
}

function choiceOf({ continue: latest, resume, fork, 'session-id': newId }: SessionValues): SessionChoice {
  const id = newId === undefined ? {} : { id: legalId('--session-id', newId) }
  if (latest) return { kind: 'continue' }
  if (resume !== undefined) return resume === TO_BE_PICKED ? { kind: 'resume' } : { kind: 'resume', id: givenId('--resume', resume) }
  if (fork === undefined) return { kind: 'new', ...id }
  const [, from = fork, until] = /^(.*)@(\d{1,15})$/.exec(fork) ?? []
  return { kind: 'fork', from: givenId('--fork', from), ...(until !== undefined && { until: Number(until) }), ...id }
}

/** Any text may be asked for: what is no id is simply not found. */
function givenId(option: string, id: string): string {
  if (id.trim() === '') throw new UsageError(`${option} takes a value that is not empty`)
  return id
}

function legalId(option: string, id: string): string {
  if (SIDE_FILE.test(id)) throw new UsageError(`${option} takes no id that ends like the files beside a session (.lock, .meta, .stream, .damaged-1): "${id}"`)
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(id)) return id
  throw new UsageError(`${option} takes letters, digits, dots, dashes and underscores, 128 at most, beginning with a letter or digit, not "${id}"`)
}
