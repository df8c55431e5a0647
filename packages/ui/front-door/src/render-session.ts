/** What a run says about its session: where it stands, what was wrong, how to come back. Pure; safe to print. */

import { textOf } from '@deepseek-ai/dsh-llm'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { clipEnd, plural, stripControls } from '@deepseek-ai/dsh-text'
import type { OpenedAgent } from './open-agent.ts'
import { shortId } from './short-id.ts'

type Opened = Pick<OpenedAgent, 'agent' | 'stored' | 'isStored'>

/** As much of the last exchange as a screen has room for beside what comes. */
const MOST_LINES = 12
const MOST_LENGTH = 2000

/** One line for each thing that is wrong with what is stored. */
export function renderDamage({ stored }: Opened): string[] {
  return (stored?.damage ?? []).map(({ message, keptAside }) => stripControls(`dsh: damaged session: ${message}${keptAside === undefined ? '' : ` (kept in ${keptAside})`}`).replaceAll('\n', ' ') + '\n')
}

/** Which session this is, and the last exchange; empty for one that begins. */
export function renderReturn({ agent, stored }: Opened): string {
  if (!stored) return ''
  const { header } = agent.session
  const parent = header.parentSession
  const name = parent === undefined ? `session ${shortId(header.id)}` : `session ${shortId(header.id)}, a copy of ${shortId(parent)}`
  const head = `${name}, “${stored.summary.title}”, ${plural(agent.session.turns, 'turn')} so far\n`
  return stripControls(head + renderExchange(agent.session.settledEvents))
}

/** How to come back; empty when there is nothing to come back to. */
export function renderFarewell({ agent, isStored }: Opened): string {
  const { id, seq } = agent.session
  return isStored && seq > 0 ? `dsh: session ${id}; dsh -r ${shortId(id)} goes on with it\n` : ''
}

function renderExchange(events: readonly SessionEvent[]): string {
  const asked = events.findLast((event): event is SessionEvent<'user/message'> => event.type === 'user/message')
  if (!asked) return ''
  const answered = events.findLast((event): event is SessionEvent<'assistant/message'> => event.type === 'assistant/message' && event.seq > asked.seq && textOf(event.data.content).trim() !== '')
  const answer = answered ? `${clip(textOf(answered.data.content))}\n` : ''
  return `> ${clip(textOf(asked.data.content)).replaceAll('\n', '\n  ')}\n${answer}`
}

/** The end of a text says most about where one was. */
function clip(text: string): string {
  const lines = text.trim().split('\n')
  const kept = lines.length > MOST_LINES ? [`… ${lines.length - MOST_LINES} lines …`, ...lines.slice(-MOST_LINES)] : lines
  const whole = kept.join('\n')
  return whole.length > MOST_LENGTH ? `${clipEnd(whole, MOST_LENGTH)} …` : whole
}
