import { expect, it } from 'vitest'
import { costOf } from '@deepseek-ai/dsh-llm'
import { SummaryFold } from '../src/index.ts'

it('adds up what the answers of one currency cost, across a fold that was stored', () => {
  const header = { version: 1, id: 'a', createdAt: 1 }
  const usage = { inputTokens: 1_000_000, cacheReadTokens: 2_000_000, outputTokens: 500_000 }
  const info = { name: 'm', price: { currency: 'USD', input: 1, cacheRead: 0.5, output: 4 } }
  const cost = costOf(usage, info)
  const answer = (seq: number, spent: typeof cost) => ({ type: 'assistant/message' as const, seq, time: 1, data: { turn: 1, step: 1, content: [], usage, finish: { kind: 'stop' as const }, model: 'm', ...(spent && { cost: spent }) }, surfaceOp: 'append' as const })
  const fold = new SummaryFold(header)
  fold.advance(answer(0, cost))
  const again = SummaryFold.fromJSON(header, JSON.parse(JSON.stringify(fold)))
  again.advance(answer(1, cost))
  again.advance(answer(2, { currency: 'CNY', amount: 9 }))
  again.advance(answer(3, undefined))

  expect([cost, again.summary(0).cost, costOf(usage, { name: 'x' })]).toEqual([{ currency: 'USD', amount: 4 }, { currency: 'USD', amount: 8 }, undefined])
})
