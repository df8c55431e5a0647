import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { expect, it } from 'vitest'
import { turnUsage } from '../src/turn-usage.ts'

function event(type: string, data: object): SessionEvent {
  return { type, seq: 0, time: 0, data } as never
}

function message(turn: number, usage?: object): SessionEvent {
  return event('assistant/message', { turn, step: 1, content: [], model: 'm', ...(usage && { usage }) })
}

it('counts the answers of one turn, whatever came before and after it', () => {
  const events = [event('turn/start', { turn: 1 }), message(1, { inputTokens: 1000, outputTokens: 1000 }), event('turn/start', { turn: 2 }), message(2, { inputTokens: 10, outputTokens: 2, cacheReadTokens: 5 }), message(2), message(2, { inputTokens: 1, outputTokens: 1, reasoningTokens: 1 }), event('turn/start', { turn: 3 }), message(3)]

  expect(turnUsage(events, 2)).toEqual({ totalTokens: 19, inputTokens: 11, outputTokens: 3, cachedReadTokens: 5, thoughtTokens: 1 })
  expect([turnUsage(events, 3), turnUsage(events, 4)]).toEqual([undefined, undefined])
})
