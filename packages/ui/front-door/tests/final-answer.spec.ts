import type { ContentBlock } from '@deepseek-ai/dsh-llm'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { describe, expect, it } from 'vitest'
import { finalAnswer } from '../src/index.ts'

const said = (...content: ContentBlock[]): SessionEvent => ({ type: 'assistant/message', seq: 0, time: 0, data: { turn: 1, step: 1, content, finish: { kind: 'stop' }, model: 'm' } }) as unknown as SessionEvent
const text = (value: string): ContentBlock => ({ type: 'text', text: value })
const call: ContentBlock = { type: 'tool-call', id: 'c', name: 'bash', arguments: '{}' }
const other = { type: 'turn/end', seq: 1, time: 0, data: { turn: 1, reason: { kind: 'completed' } } } as SessionEvent

describe('the answer of a run', () => {
  it.each<[string, SessionEvent[], string]>([
    ['nothing was said', [other], ''],
    ['the last message has text', [said(text('first')), said(text('second')), other], 'second'],
    ['the last message is a call alone', [said(text('I look.'), call), said(call)], 'I look.'],
    ['the last message is blank', [said(text('words')), said(text(' \n'))], 'words'],
    ['the message thinks first', [said({ type: 'reasoning', text: 'hm' } as ContentBlock, text('so'))], 'so'],
  ])('when %s is the last text', (_when, events, answer) => {
    expect(finalAnswer(events)).toBe(answer)
  })
})
