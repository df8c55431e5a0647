/** How much a request was. Pure. */

import type { TokenUsage } from './types.ts'

/** All tokens that were sent, whether they came from the provider's cache or went into it. */
export function sentTokens({ inputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 }: TokenUsage): number {
  return inputTokens + cacheReadTokens + cacheWriteTokens
}
