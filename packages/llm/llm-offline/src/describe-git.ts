/**
 * Reads the history of a repository from the log that git keeps of it, which
 * needs no permission and runs nothing, and words it. Pure.
 *
 *     <old id> <new id> <name> <mail> <seconds> <zone> TAB <what>: <subject>
 */

import { plural } from '@deepseek-ai/dsh-text'
import { shorten } from './fence.ts'
import { isAbsent, readFileText, reasonOf } from './read-result.ts'
import type { Outcome } from './types.ts'

export const GIT_LOG = '.git/logs/HEAD'

/** So many entries are shown. */
export const MOST_ENTRIES = 5

const ENTRY = /^[0-9a-f]{40,64} ([0-9a-f]{40,64}) [^\t]*\t(.*)$/

/** How many entries the log has, as far as the note of a partial reading says. */
export function entriesOf({ text }: Outcome): number {
  const { lines, note } = readFileText(text)
  return Number(/\bof (\d+)\b/.exec(note)?.[1] ?? lines.length)
}

/** Paragraphs, newest entry first; none when nobody looked. */
export function describeGit(outcome: Outcome | undefined, total: number): string[] {
  if (!outcome) return []
  if (isAbsent(outcome)) return ['I found no history of commits here.']
  if (outcome.isError) return [`I could not look at its history: ${reasonOf(outcome)}`]
  const entries = readFileText(outcome.text).lines.flatMap(line => {
    const [, id, what] = ENTRY.exec(line) ?? []
    return id === undefined || what === undefined ? [] : [`- ${id.slice(0, 7)} ${shorten(what.replace(/^commit(?: \([^)]*\))?: /, ''), 120)}`]
  })
  if (entries.length === 0) return ['I found no history of commits here.']
  const shown = entries.slice(-MOST_ENTRIES).reverse()
  return [`It is a git repository; the last ${shown.length === 1 ? 'entry' : plural(shown.length, 'entry', 'entries')} of the ${total} in its log:\n\n${shown.join('\n')}`]
}
