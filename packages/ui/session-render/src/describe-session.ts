/** What is known of a session as a whole: the head of every rendering. Pure. */

import type { SessionSummary, StoredSession } from '@deepseek-ai/dsh-session-persistence'

/** Name and value, in the order of showing; only what is known. */
export function describeSession({ header, summary, damage }: StoredSession): [name: string, value: string][] {
  const rows: [string, string | undefined][] = [
    ['session', header.id],
    ['title', summary.title],
    ['directory', header.cwd],
    ['begun', formatTime(header.createdAt)],
    ['last', formatTime(summary.lastActivity)],
    ['forked', header.parentSession === undefined ? undefined : `from ${header.parentSession}${header.seedLength === undefined ? '' : ` after ${header.seedLength} events`}`],
    ['models', summary.models.join(', ')],
    ['extent', describeExtent(summary)],
    ...damage.map(({ message }): [string, string] => ['damage', message]),
  ]
  return rows.filter((row): row is [string, string] => row[1] !== undefined && row[1] !== '')
}

/** Minutes are enough, and UTC is the same for everybody. */
export function formatTime(time: number): string {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? 'at an unknown time' : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function describeExtent({ turns, events, inputTokens, outputTokens }: SessionSummary): string {
  const tokens = inputTokens + outputTokens === 0 ? '' : `, ${inputTokens} tokens in and ${outputTokens} out`
  return `${turns} ${turns === 1 ? 'turn' : 'turns'}, ${events} events${tokens}`
}
