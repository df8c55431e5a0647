/** Reads the provider's token counts into disjoint ones. Pure; tolerates counts that are missing or junk. */

import type { TokenUsage } from '@deepseek-ai/dsh-llm'

/** Undefined when the value holds no count at all. */
export function parseUsage(value: unknown): TokenUsage | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const raw = value as Record<string, unknown>
  const prompt = count(raw.prompt_tokens)
  const output = count(raw.completion_tokens)
  const cached = count(raw.prompt_cache_hit_tokens) ?? count(inside(raw.prompt_tokens_details, 'cached_tokens'))
  const missed = count(raw.prompt_cache_miss_tokens)
  if (prompt === undefined && output === undefined && missed === undefined) return undefined
  const usage: TokenUsage = { inputTokens: missed ?? Math.max(0, (prompt ?? 0) - (cached ?? 0)), outputTokens: output ?? 0 }
  if (cached !== undefined) usage.cacheReadTokens = cached
  const reasoning = count(inside(raw.completion_tokens_details, 'reasoning_tokens'))
  if (reasoning !== undefined) usage.reasoningTokens = reasoning
  return usage
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

function inside(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
}
