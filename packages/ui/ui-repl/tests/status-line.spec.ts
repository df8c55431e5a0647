import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { createTheme } from '@deepseek-ai/dsh-terminal-view'
import { expect, it } from 'vitest'
import { StatusLine, UsageFold } from '../src/status-line.ts'

const theme = createTheme({ color: false })
const answer = (data: object): SessionEvent => ({ type: 'assistant/message', seq: 0, time: 0, data: { turn: 1, step: 1, content: [], finish: { kind: 'stop' }, model: 'm', ...data } }) as unknown as SessionEvent

function line(usage = new UsageFold(), facts = {}) {
  const status = new StatusLine(theme, usage, () => ({ model: 'deepseek-flash', contextWindow: 100_000, mode: 'ask', session: '0abcdefgh', ...facts }))
  return (width: number): string | undefined => status.render(width)[0]
}

it('sums what was used, and takes the last request for what the context holds', () => {
  const usage = new UsageFold()
  usage.advance(answer({ usage: { inputTokens: 1000, outputTokens: 200, cacheReadTokens: 3000, cacheWriteTokens: 1000 }, cost: { currency: 'USD', amount: 0.5 } }))
  usage.advance(answer({ usage: { inputTokens: 9000, outputTokens: 1000 }, cost: { currency: 'CNY', amount: 0.001 } }))
  usage.advance(answer({}))
  expect(line(usage)(200)).toBe('deepseek-flash · 10 % of 100k context · 21 % cached · ↑14k ↓1.2k · $0.50 + ¥0.0010 · ask mode · 0abcdefgh')
})

it('says only what is known', () => {
  expect(line()(200)).toBe('deepseek-flash · ask mode · 0abcdefgh')
  const usage = new UsageFold()
  usage.advance(answer({ usage: { inputTokens: 1_500_000, outputTokens: 0 } }))
  expect(line(usage, { contextWindow: undefined, mode: undefined })(200)).toBe('deepseek-flash · 1.5M in context · 0 % cached · ↑1.5M ↓0 · 0abcdefgh')
})

it('leaves out what does not fit, and keeps the model and what it may do longest', () => {
  const usage = new UsageFold()
  usage.advance(answer({ usage: { inputTokens: 1000, outputTokens: 200 }, cost: { currency: 'USD', amount: 0.5 } }))
  const at = line(usage)
  expect([90, 80, 65, 55, 40, 30, 20, 10, 1].map(width => at(width)?.replaceAll('\u001b[0m', ''))).toEqual([
    'deepseek-flash · 1 % of 100k context · 0 % cached · $0.50 · ask mode · 0abcdefgh',
    'deepseek-flash · 1 % of 100k context · 0 % cached · $0.50 · ask mode · 0abcdefgh',
    'deepseek-flash · 1 % of 100k context · $0.50 · ask mode',
    'deepseek-flash · 1 % of 100k context · $0.50 · ask mode',
    'deepseek-flash · ask mode',
    'deepseek-flash · ask mode',
    'deepseek-flash',
    'deepsee...',
    '.',
  ])
})
