/** `dsh sessions …` and `dsh replay …`, parsed. Pure. */

import type { SessionsCall } from '@deepseek-ai/dsh-session-tools'
import { nearest } from '@deepseek-ai/dsh-text'
import { commandSpec } from './commands.ts'
import { OPTIONS } from './options.ts'
import { notEmpty, oneOf } from './read-values.ts'
import { UsageError } from './usage-error.ts'

export interface SessionsValues {
  all?: boolean | undefined
  force?: boolean | undefined
  format?: string | undefined
  output?: string | undefined
}

/** As the table of commands has them. */
type Verb = Exclude<SessionsCall['verb'], 'replay'>

/** The words after `sessions`; none at all means `list`. Throws `UsageError`. */
export function parseSessionsCall(words: readonly string[], values: SessionsValues): SessionsCall {
  const [verb = 'list', ...rest] = words
  const { verbs = [] } = commandSpec('sessions')
  const known = verbs.map(({ name }) => name)
  const spec = verbs.find(({ name }) => name === verb)
  if (!spec) {
    const meant = nearest(verb, known)
    throw new UsageError(`dsh sessions takes ${known.join(', ')}, not "${verb}"${meant ? `; did you mean ${meant}?` : ''} (a prompt that begins with "sessions" goes after --)`)
  }
  const { least, most, argument: wanted } = spec
  if (rest.length < least) throw new UsageError(`dsh sessions ${verb} takes ${wanted}`)
  if (rest.length > most) throw new UsageError(`dsh sessions ${verb} takes ${wanted === undefined ? 'no argument' : `${wanted} and nothing more`}, not "${rest.at(most)}"`)
  return callOf(verb as Verb, rest, values)
}

/** The words after `replay`. */
export function parseReplayCall(words: readonly string[]): SessionsCall {
  const [id, more] = words
  if (id === undefined || more !== undefined) throw new UsageError('dsh replay takes the ID of one session (a prompt that begins with "replay" goes after --)')
  return { verb: 'replay', id }
}

function callOf(verb: Verb, words: string[], { all = false, force = false, format, output }: SessionsValues): SessionsCall {
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
      return { verb, id, ...(format !== undefined && { format: oneOf('--format', format, OPTIONS.format.values) }), ...(notEmpty('--output', output) !== undefined && { output }) }
  }
}

function titleOf(words: readonly string[]): string {
  const title = words.join(' ').trim()
  if (title === '') throw new UsageError('a title must not be empty')
  return title
}
