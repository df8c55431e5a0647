/** What the answers to one prompt used up. Pure. */

import type { SessionEvent } from '@deepseek-ai/dsh-session'

/** As the protocol's drafts name it; older clients read over it. */
export interface TurnUsage {
  totalTokens: number
  inputTokens: number
  outputTokens: number
  cachedReadTokens: number
  thoughtTokens: number
}

/** Of the answers from event `from` on; undefined when none says. */
export function turnUsage(events: readonly SessionEvent[], from: number): TurnUsage | undefined {
  const sum: TurnUsage = { totalTokens: 0, inputTokens: 0, outputTokens: 0, cachedReadTokens: 0, thoughtTokens: 0 }
  let isKnown = false
  for (let i = from; i < events.length; i++) {
    const event = events[i]
    if (event?.type !== 'assistant/message' || !event.data.usage) continue
    const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = event.data.usage
    isKnown = true
    sum.inputTokens += inputTokens + cacheWriteTokens
    sum.outputTokens += outputTokens
    sum.cachedReadTokens += cacheReadTokens
    sum.thoughtTokens += reasoningTokens
    sum.totalTokens += inputTokens + cacheWriteTokens + cacheReadTokens + outputTokens
  }
  return isKnown ? sum : undefined
}
