/** A session as something to choose. Pure. */

import type { Choice } from '@deepseek-ai/dsh-commands'
import { shortId } from '@deepseek-ai/dsh-front-door'
import { textOf } from '@deepseek-ai/dsh-llm'
import { typedText } from '@deepseek-ai/dsh-prompt-content'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import type { SessionSummary } from '@deepseek-ai/dsh-session-persistence'
import { formatTime } from '@deepseek-ai/dsh-session-render'
import { plural } from '@deepseek-ai/dsh-text'

/** How much of what was said last is shown. In UTF-16 units. */
const LONGEST_PREVIEW = 600

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export function describeChoice({ id, title, lastActivity, turns, damage, inUseBy }: SessionSummary, now: number): Choice {
  const notes = [describeAge(lastActivity, now), plural(turns, 'turn'), ...(damage ? ['damaged'] : []), ...(inUseBy ? ['in use'] : []), shortId(id)]
  return { value: id, label: title || shortId(id), description: notes.join(' · ') }
}

/** What the user said last, and the last answer. */
export function renderPreview(events: readonly SessionEvent[]): string {
  const said = events.findLast(event => (event.type === 'user/message' || event.type === 'steering/message') && event.data.source.kind === 'user')
  const answer = events.findLast(event => event.type === 'assistant/message' && textOf(event.data.content).trim() !== '')
  const lines = [
    ...(said && 'content' in said.data ? [`❯ ${brief(typedText(said.data.content))}`] : []),
    ...(answer?.type === 'assistant/message' ? [brief(textOf(answer.data.content))] : []),
  ]
  return lines.length === 0 ? 'Nothing was said in it.' : lines.join('\n')
}

function brief(text: string): string {
  return text.slice(0, LONGEST_PREVIEW).trim().replace(/\s*\n\s*/g, ' ')
}

/** Times of the last week by their distance, which is what is remembered. */
function describeAge(time: number, now: number): string {
  const ago = now - time
  if (!(ago >= 0 && ago < 7 * DAY_MS)) return formatTime(time)
  if (ago < MINUTE_MS) return 'just now'
  if (ago < HOUR_MS) return `${Math.floor(ago / MINUTE_MS)} min ago`
  return ago < DAY_MS ? `${Math.floor(ago / HOUR_MS)} h ago` : `${plural(Math.floor(ago / DAY_MS), 'day')} ago`
}
