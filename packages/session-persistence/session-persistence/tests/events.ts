/** Small logs for tests of stores. */

import type { SessionEvent } from '@deepseek-ai/dsh-session'

/** Three events from `from` (a multiple of 3) on: a turn in which the user says `text`. */
export function turn(from: number, text = `hello ${from}`): SessionEvent[] {
  const number = 1 + from / 3
  return [
    { type: 'turn/start', seq: from, time: 1000 + from, data: { turn: number, trigger: { kind: 'message', source: { kind: 'user' } } } },
    { type: 'user/message', seq: from + 1, time: 1001 + from, data: { content: [{ type: 'text', text }], source: { kind: 'user' } }, surfaceOp: 'append' },
    { type: 'turn/end', seq: from + 2, time: 1002 + from, data: { turn: number, reason: { kind: 'completed' } } },
  ]
}

/** `count` streamed deltas from `from` on. */
export function deltas(from: number, count: number): SessionEvent[] {
  return Array.from({ length: count }, (_, i) => ({ type: 'assistant/chunk', seq: from + i, time: 1000 + i, data: { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text: `w${i} ` } } }))
}
