import { expect, it } from 'vitest'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { createMask, renderJson } from '../src/index.ts'

function streamed(...chunks: object[]): SessionEvent[] {
  return [{ type: 'step/start', data: { turn: 1, step: 1 } }, ...chunks.map(chunk => ({ type: 'assistant/chunk', data: { turn: 1, step: 1, chunk } }))].map((event, seq) => ({ ...event, seq, time: 1 }) as unknown as SessionEvent)
}

function exported(events: SessionEvent[]): SessionEvent[] {
  const header = { version: 1, id: 'one', createdAt: 1 }
  const summary = { id: 'one', createdAt: 1, title: '', lastActivity: 1, events: events.length, turns: 1, inputTokens: 0, outputTokens: 0, models: [], bytes: 0 }
  return (JSON.parse(renderJson({ header, events, damage: [], summary }, createMask({ MY_TOKEN: 'hidden-value-1' }))) as { events: SessionEvent[] }).events
}

it('masks a secret that was streamed in pieces, and leaves other blocks as they came', () => {
  const key = ['the key sk-abc', 'defghijkl', 'mnopqrst.']
  const events = streamed(
    ...key.map(text => ({ type: 'text-delta', index: 0, text })),
    { type: 'text-delta', index: 1, text: 'plain ' },
    { type: 'tool-call-delta', index: 2, id: 'c', argumentsDelta: '{"x":"hidden-' },
    { type: 'text-delta', index: 1, text: 'words' },
    { type: 'tool-call-delta', index: 2, id: 'c', argumentsDelta: 'value-1"}' },
  )

  expect(exported(events)).toEqual(
    streamed(
      { type: 'text-delta', index: 0, text: 'the key [redacted].' },
      { type: 'text-delta', index: 0, text: '' },
      { type: 'text-delta', index: 0, text: '' },
      { type: 'text-delta', index: 1, text: 'plain ' },
      { type: 'tool-call-delta', index: 2, id: 'c', argumentsDelta: '{"x":"[redacted]"}' },
      { type: 'text-delta', index: 1, text: 'words' },
      { type: 'tool-call-delta', index: 2, id: 'c', argumentsDelta: '' },
    ),
  )
})
