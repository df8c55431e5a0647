/** Answers `agent/request-error`: bounded retries of what may succeed later. The loop does the waiting. */

import type { Context } from 'cordis'
import z from 'schemastery'
import type {} from '@deepseek-ai/dsh-agent'
import { decideRetry, type RetryPolicy } from './retry-policy.ts'
import { seededRandom } from './seeded-random.ts'

export const name = 'llm-retry'

export interface LlmRetryConfig extends RetryPolicy {
  /** Makes the jitter predictable. */
  seed?: number
}

export const Config: z<Partial<LlmRetryConfig>, LlmRetryConfig> = z.object({
  maxAttempts: z.natural().default(5),
  baseDelayMs: z.natural().default(500),
  maxDelayMs: z.natural().default(30_000),
  maxRetryAfterMs: z.natural().default(120_000),
  seed: z.number(),
}) as z<Partial<LlmRetryConfig>, LlmRetryConfig>

export function apply(ctx: Context, config: LlmRetryConfig): void {
  const random = config.seed === undefined ? Math.random : seededRandom(config.seed)
  ctx.on('agent/request-error', async (_agent, { attempt, error }, next) => {
    const verdict = decideRetry(error, attempt, config, random)
    switch (verdict.kind) {
      case 'retry':
        ctx.logger.info('attempt %d of %d failed (%s); the next one in %d ms', attempt, config.maxAttempts, error.message, verdict.delayMs)
        return verdict
      case 'too-long':
        ctx.logger.warn('the provider asks to wait %d s, more than the %d s allowed by maxRetryAfterMs', Math.ceil(verdict.retryAfterMs / 1000), config.maxRetryAfterMs / 1000)
        return { kind: 'fail' }
      case 'exhausted':
        return { kind: 'fail' }
      case 'permanent':
        // Others may know a cure, such as compaction for a full window.
        return next()
    }
  })
}
