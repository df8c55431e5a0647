/** Closes a turn that a crash, or a fork in its middle, left open in the log. */

import { BlockAssembler, type ContentBlock, type StreamChunk } from '@deepseek-ai/dsh-llm'
import { hasSubstance } from './message-fold.ts'
import type { Session } from './session.ts'
import type { SessionEvent } from './types.ts'

/**
 * Appends what is missing up to `turn/end` with `interrupted`; nothing when no
 * turn is open. What had become visible of an unfinished answer is kept, and
 * input whose message did not make it into the log is queued again.
 */
export function closeInterrupted(session: Session): void {
  const { openTurn: turn, openStep: step } = session
  if (turn === undefined) return
  if (step !== undefined) {
    const content = visibleAnswer(session)
    if (content.length > 0) {
      session.append('assistant/message', { turn, step, content, finish: { kind: 'aborted' }, model: lastModel(session.settledEvents), interrupted: true }, { surfaceOp: 'append' })
    }
    session.append('step/end', { turn, step })
  }
  const lost = lostInput(session.settledEvents)
  session.append('turn/end', { turn, reason: { kind: 'interrupted' } })
  for (const { target, content, source } of lost) session.append('inbox/queued', { id: `in-${session.seq}`, target, content, source })
}

/** A claim is followed by a message for each of its ids; a write that was torn in between has some of them missing. */
function lostInput(events: readonly SessionEvent[]): SessionEvent<'inbox/queued'>['data'][] {
  const at = events.findLastIndex(({ type }) => type === 'inbox/claimed')
  const claim = events[at]
  if (claim?.type !== 'inbox/claimed') return []
  const arrived = events.slice(at).filter(({ type }) => type === 'user/message' || type === 'prompt/blocked' || type === 'steering/message').length
  const lost = new Set(claim.data.ids.slice(arrived))
  return events.flatMap(event => (event.type === 'inbox/queued' && lost.has(event.data.id) ? [event.data] : []))
}

/**
 * The text and the thoughts that the unfinished answer at the end of the log
 * has shown; empty when it shows none, or is finished. Unfinished calls and the
 * chunks of failed attempts do not count.
 */
export function visibleAnswer(session: Session): ContentBlock[] {
  const assembler = new BlockAssembler()
  for (const chunk of unfinishedChunks(session)) if (isProse(chunk)) assembler.push(chunk)
  const content = assembler.blocks()
  return hasSubstance(content) ? content : []
}

/** Since the attempt at the end of the log began. */
function unfinishedChunks(session: Session): StreamChunk[] {
  const begin = session.settledEvents.findLast(({ type }) => type === 'assistant/message' || type === 'llm/attempt' || type === 'step/start' || type === 'step/end')
  if (begin?.type === 'assistant/message') return []
  return session.eventsFrom((begin?.seq ?? -1) + 1).flatMap(event => (event.type === 'assistant/chunk' ? [event.data.chunk] : []))
}

function isProse(chunk: StreamChunk): boolean {
  if (chunk.type === 'block-end') return chunk.block.type === 'text' || chunk.block.type === 'reasoning'
  return chunk.type === 'text-delta' || chunk.type === 'reasoning-delta'
}

/** The log does not say which model was asked last, only which one answered. */
function lastModel(events: readonly SessionEvent[]): string {
  const last = events.findLast((event): event is SessionEvent<'assistant/message'> => event.type === 'assistant/message')
  return last?.data.model ?? 'unknown'
}
