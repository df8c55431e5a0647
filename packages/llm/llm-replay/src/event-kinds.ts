/** Tells what the loop writes into a log from what others do to it. Pure. */

import { NOT_STARTED, type SessionEvent } from '@deepseek-ai/dsh-session'

/** What only the loop appends. */
const OF_LOOP: ReadonlySet<string> = new Set([
  'turn/start', 'turn/end', 'step/start', 'step/end', 'inbox/claimed', 'user/message', 'prompt/blocked', 'steering/message', 'request/header',
  'assistant/chunk', 'assistant/message', 'llm/attempt', 'tool/call', 'tool/result', 'derivation/repaired',
])

/** How the loop words that it drops what a failed turn had not come to. */
const DROPPED_BY_LOOP = 'the turn ended first'

/** Whether a replay has to do this itself: input, injected context, what plugins append, replacements on the surface. */
export function isExternal(event: SessionEvent): boolean {
  if (event.surfaceOp !== undefined && event.surfaceOp !== 'append') return true
  if (event.type === 'turn/start') return event.data.trigger.kind !== 'message'
  if (event.type === 'inbox/dropped') return !event.data.reason.startsWith(DROPPED_BY_LOOP)
  return !OF_LOOP.has(event.type)
}

/** A result that says that its call was kept from starting. */
export function isNotStarted(event: SessionEvent): boolean {
  if (event.type !== 'tool/result') return false
  const [first] = event.data.content
  return first?.type === 'text' && first.text === NOT_STARTED
}
