/** `dsh sessions …` and `dsh replay …`, parsed. Pure. */

import type { ParseArgsConfig } from 'node:util'
import type { ExportFormat, SessionsCall } from '@deepseek-ai/dsh-session-tools'
import { nearest } from '@deepseek-ai/dsh-text'
import { UsageError } from './usage-error.ts'

export const SESSIONS_OPTIONS = {
  all: { type: 'boolean' },
  force: { type: 'boolean' },
  format: { type: 'string' },
  output: { type: 'string', short: 'o' },
} as const satisfies ParseArgsConfig['options']

export interface SessionsValues {
  all?: boolean | undefined
  force?: boolean | undefined
  format?: string | undefined
  output?: string | undefined
}

type Verb = SessionsCall['verb']

const FORMATS: readonly ExportFormat[] = ['markdown', 'json', 'html']

/** Which verbs an option belongs to. */
const OWNERS: Readonly<Record<keyof SessionsValues, readonly Verb[]>> = { all: ['list', 'search'], force: ['delete'], format: ['export'], output: ['export'] }

/** How many words each verb takes after it, and what they are called. */
const VERBS: Readonly<Record<Exclude<Verb, 'replay'>, { least: number; most: number; words: string }>> = {
  list: { least: 0, most: 0, words: '' },
  show: { least: 1, most: 1, words: 'ID' },
  export: { least: 1, most: 1, words: 'ID' },
  delete: { least: 1, most: Infinity, words: 'ID…' },
  rename: { least: 2, most: Infinity, words: 'ID TITLE' },
  search: { least: 1, most: Infinity, words: 'WORDS' },
  repair: { least: 1, most: Infinity, words: 'ID…' },
}

/** The words after `sessions`; none at all means `list`. Throws `UsageError`. */
export function parseSessionsCall(words: readonly string[], values: SessionsValues): SessionsCall {
  const [verb = 'list', ...rest] = words
  const known = Object.keys(VERBS)
  if (!isVerb(verb)) {
    const meant = nearest(verb, known)
    throw new UsageError(`dsh sessions takes ${known.join(', ')}, not "${verb}"${meant ? `; did you mean ${meant}?` : ''} (a prompt that begins with "sessions" goes after --)`)
  }
  const { least, most, words: wanted } = VERBS[verb]
  if (rest.length < least) throw new UsageError(`dsh sessions ${verb} takes ${wanted}`)
  if (rest.length > most) throw new UsageError(`dsh sessions ${verb} takes ${wanted === '' ? 'no argument' : `${wanted} and nothing more`}, not "${rest.at(most)}"`)
  refuseForeign(verb, values)
  return callOf(verb, rest, values)
}

/** The words after `replay`. */
export function parseReplayCall(words: readonly string[], values: SessionsValues): SessionsCall {
  const [id, more] = words
  if (id === undefined || more !== undefined) throw new UsageError('dsh replay takes the ID of one session (a prompt that begins with "replay" goes after --)')
  refuseForeign('replay', values)
  return { verb: 'replay', id }
}

/** For runs and other commands: these options are not theirs. */
export function refuseForeign(verb: Verb | undefined, values: SessionsValues): void {
  for (const [option, owners] of Object.entries(OWNERS) as [keyof SessionsValues, readonly Verb[]][]) {
    if (values[option] !== undefined && !(verb && owners.includes(verb))) throw new UsageError(`--${option} belongs to ${owners.map(owner => `dsh sessions ${owner}`).join(' and ')}`)
  }
}

function isVerb(word: string): word is Exclude<Verb, 'replay'> {
  return Object.hasOwn(VERBS, word)
}

function callOf(verb: Exclude<Verb, 'replay'>, words: string[], { all = false, force = false, format, output }: SessionsValues): SessionsCall {
  const [id = '', ...more] = words
  switch (verb) {
    case 'list':
      return { verb, all }
    case 'search':
      return { verb, query: words.join(' '), all }
    case 'delete':
      return { verb, ids: words, force }
    case 'repair':
      return { verb, ids: words }
    case 'rename':
      return { verb, id, title: titleOf(more) }
    case 'show':
      return { verb, id }
    case 'export':
      return { verb, id, ...(format !== undefined && { format: formatOf(format) }), ...(output !== undefined && { output: fileOf(output) }) }
  }
}

function titleOf(words: readonly string[]): string {
  const title = words.join(' ').trim()
  if (title === '') throw new UsageError('a title must not be empty')
  return title
}

function fileOf(output: string): string {
  if (output.trim() === '') throw new UsageError('--output takes a value that is not empty')
  return output
}

function formatOf(format: string): ExportFormat {
  const found = FORMATS.find(each => each === format)
  if (found !== undefined) return found
  const meant = nearest(format, FORMATS)
  throw new UsageError(`--format is one of ${FORMATS.join(', ')}, not "${format}"${meant ? `; did you mean ${meant}?` : ''}`)
}
