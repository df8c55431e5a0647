/** What a request costs. Pure. */

import type { Cost, ModelInfo, TokenUsage } from './types.ts'

const PER_MILLION = 1e-6

/** Undefined where the model's price is not known. */
export function costOf(usage: TokenUsage, info: ModelInfo | undefined): Cost | undefined {
  const price = info?.price
  if (!price) return undefined
  const cached = usage.cacheReadTokens ?? 0
  const input = usage.inputTokens + (usage.cacheWriteTokens ?? 0)
  const amount = (input * price.input + cached * (price.cacheRead ?? price.input) + usage.outputTokens * price.output) * PER_MILLION
  return { currency: price.currency, amount }
}
