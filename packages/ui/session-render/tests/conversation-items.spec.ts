import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { describe, expect, it } from 'vitest'
import { conversationItems } from '../src/index.ts'

/** Events as they would stand in a log; what does not matter here is left out. */
function log(...events: [type: string, data: object][]): SessionEvent[] {
  return events.map(([type, data], seq) => ({ type, seq, time: 1000 + seq, data: { turn: 1, step: 1, ...data } }) as SessionEvent)
}

const delta = (text: string): [string, object] => ['assistant/chunk', { chunk: { type: 'text-delta', index: 0, text } }]
const thought = (text: string): [string, object] => ['assistant/chunk', { chunk: { type: 'reasoning-delta', index: 0, text } }]
const asked: [string, object] = ['user/message', { content: [{ type: 'text', text: 'go' }], source: { kind: 'user' } }]

const said = (events: SessionEvent[]) => conversationItems(events).map(item => (item.kind === 'assistant' ? [item.text, item.reasoning, item.isInterrupted] : [item.kind]))

describe('what was streamed', () => {
  it('stands there as cut when the log ends in the middle of it', () => {
    expect(said(log(asked, thought('Hm. '), delta('Half an '), delta('answer')))).toEqual([['user'], ['Half an answer', 'Hm. ', true]])
  })

  it('is said once when its message follows', () => {
    expect(said(log(asked, delta('All.'), ['assistant/message', { content: [{ type: 'text', text: 'All.' }], finish: { kind: 'stop' }, model: 'm' }]))).toEqual([['user'], ['All.', '', false]])
  })

  it('does not count when the attempt failed or the turn has ended', () => {
    const failed: [string, object] = ['llm/attempt', { attempt: 1, error: { name: 'E', code: 'SERVER', message: 'busy' } }]
    expect(said(log(asked, delta('lost'), failed))).toEqual([['user'], ['note']])
    expect(said(log(asked, delta('lost'), failed, delta('second')))).toEqual([['user'], ['note'], ['second', '', true]])
    expect(said(log(asked, delta('lost'), ['turn/end', { reason: { kind: 'interrupted' } }]))).toEqual([['user'], ['note']])
  })
})
