/** Finds where turns were cut from outside: by a cancel, a shutdown, the clock, or a crash. Pure over events. */

import type { SessionEvent, TurnEndReason } from '@deepseek-ai/dsh-session'
import { isExternal, isNotStarted } from './event-kinds.ts'

export interface Cut {
  /** The first event that follows from it. */
  at: number
  kind: 'aborted' | 'disposed' | 'deadline' | 'interrupted'
  reason: string
  /** What the cancel did with input that waited. */
  queue: 'keep' | 'drop'
  /** The call that must be running when it comes. */
  callId?: string
}

/** By the number of their first event. */
export function findCuts(events: readonly SessionEvent[]): Map<number, Cut> {
  const cuts = new Map<number, Cut>()
  for (const event of events) {
    const kind = event.type === 'turn/end' ? kindOf(event.data.reason) : undefined
    if (event.type !== 'turn/end' || kind === undefined) continue
    const reason = event.data.reason.kind === 'aborted' ? (event.data.reason.reason ?? '') : ''
    const cut = trace(events, event.seq, { at: event.seq, kind, reason, queue: 'keep' })
    cuts.set(cut.at, cut)
  }
  return cuts
}

function kindOf(reason: TurnEndReason): Cut['kind'] | undefined {
  if (reason.kind === 'limit') return reason.which === 'deadline' ? 'deadline' : undefined
  return reason.kind === 'aborted' || reason.kind === 'disposed' || reason.kind === 'interrupted' ? reason.kind : undefined
}

/** Back from the end of the turn over everything that follows from the cut; what others did meanwhile does not count. */
function trace(events: readonly SessionEvent[], end: number, cut: Cut): Cut {
  let found = cut
  for (let i = end - 1; i >= 0; i--) {
    const event = events[i]
    if (!event) break
    if (follows(event, cut)) found = { ...found, at: i, ...(event.type === 'inbox/dropped' && { queue: 'drop' as const }) }
    else if (!isExternal(event)) break
  }
  const first = events.slice(found.at, end).find(event => event.type === 'tool/result')
  return first?.type === 'tool/result' && !isNotStarted(first) ? { ...found, callId: first.data.callId } : found
}

function follows(event: SessionEvent, { kind, reason }: Cut): boolean {
  switch (event.type) {
    case 'step/end':
      return true
    case 'assistant/message':
      return event.data.interrupted === true
    case 'tool/result':
      return kind !== 'interrupted' && (event.data.error?.code === 'ABORTED' || isNotStarted(event))
    case 'inbox/dropped':
      return kind === 'aborted' && event.data.reason === reason
    default:
      return false
  }
}
