import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LlmError } from '@deepseek-ai/dsh-llm'
import { decideRetry, type RetryPolicy } from '../src/index.ts'

const POLICY: RetryPolicy = { maxAttempts: 5, baseDelayMs: 500, maxDelayMs: 8000, maxRetryAfterMs: 120_000 }
const never = (): number => 0
const server = new LlmError('SERVER', 'boom')

describe('decideRetry', () => {
  it('doubles the pause with each attempt, up to the longest one', () => {
    const policy = { ...POLICY, maxAttempts: 9 }
    const delays = [1, 2, 3, 4, 5, 6, 7].map(attempt => decideRetry(server, attempt, policy, never))
    expect(delays.map(verdict => verdict.kind === 'retry' && verdict.delayMs)).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000])
  })

  it('gives up when the attempts are used up', () => {
    expect([4, 5, 6].map(attempt => decideRetry(server, attempt, POLICY, never).kind)).toEqual(['retry', 'exhausted', 'exhausted'])
  })

  it.each(['AUTH', 'QUOTA', 'INVALID_REQUEST', 'CONTEXT_OVERFLOW', 'CONTENT_FILTER', 'ABORTED', 'NO_ADAPTER', 'UNSUPPORTED'] as const)('never tries again after %s', code => {
    expect(decideRetry(new LlmError(code, 'no', { retryAfterMs: 1 }), 1, POLICY, never)).toEqual({ kind: 'permanent' })
  })

  it('leaves errors of other kinds alone', () => {
    expect(decideRetry(new TypeError('a bug'), 1, POLICY, never)).toEqual({ kind: 'permanent' })
  })

  it('gives up at once when the provider asks for more patience than there is', () => {
    expect(decideRetry(new LlmError('RATE_LIMIT', 'slow', { retryAfterMs: 7_200_000 }), 1, POLICY, never)).toEqual({ kind: 'too-long', retryAfterMs: 7_200_000 })
  })

  it('never comes back earlier than asked, nor much later', () => {
    const property = fc.property(fc.nat(120_000), fc.integer({ min: 1, max: 4 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (retryAfterMs, attempt, chance) => {
      const verdict = decideRetry(new LlmError('RATE_LIMIT', 'slow', { retryAfterMs }), attempt, POLICY, () => chance)
      if (verdict.kind !== 'retry') throw new Error(verdict.kind)
      expect(verdict.delayMs).toBeGreaterThanOrEqual(retryAfterMs)
      expect(verdict.delayMs).toBeLessThanOrEqual(Math.max(retryAfterMs * 1.1 + 1, POLICY.maxDelayMs))
    })
    fc.assert(property)
  })

  it('spreads its own pauses over half of their length', () => {
    expect([0, 0.5, 0.999].map(chance => decideRetry(server, 2, POLICY, () => chance))).toEqual([
      { kind: 'retry', delayMs: 1000 },
      { kind: 'retry', delayMs: 750 },
      { kind: 'retry', delayMs: 501 },
    ])
  })
})
