/** Decides whether and when a failed request is tried again. Pure: chance is an argument. */

import { LlmError } from '@deepseek-ai/dsh-llm'

export interface RetryPolicy {
  /** Attempts in all, the first one counted. */
  maxAttempts: number
  /** The pause after the first failure; it doubles with each further one. */
  baseDelayMs: number
  /** The longest pause that is not the provider's own wish. */
  maxDelayMs: number
  /** A provider that asks for longer is not waited for. */
  maxRetryAfterMs: number
}

export type RetryVerdict =
  | { kind: 'retry'; delayMs: number }
  /** Another attempt cannot help. */
  | { kind: 'permanent' }
  /** It might help, but every attempt is used up. */
  | { kind: 'exhausted' }
  /** The provider asks for more patience than there is. */
  | { kind: 'too-long'; retryAfterMs: number }

/** Up to this share is added to a wait that the provider asked for, so that clients do not return all at once. */
const SPREAD = 0.1

/**
 * Never shorter than the provider asks; otherwise an exponential pause of which
 * `random` (0 ≤ x < 1) takes away up to half.
 */
export function decideRetry(error: Error, attempt: number, policy: RetryPolicy, random: () => number): RetryVerdict {
  if (!(error instanceof LlmError) || !error.retryable) return { kind: 'permanent' }
  const { retryAfterMs } = error
  if (retryAfterMs !== undefined && retryAfterMs > policy.maxRetryAfterMs) return { kind: 'too-long', retryAfterMs }
  if (attempt >= policy.maxAttempts) return { kind: 'exhausted' }
  const doubled = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (attempt - 1))
  const own = doubled * (1 - random() / 2)
  const asked = (retryAfterMs ?? 0) * (1 + random() * SPREAD)
  return { kind: 'retry', delayMs: Math.ceil(Math.max(own, asked)) }
}
