/** What the answers of one turn used up. Pure. */

import type { SessionEvent } from '@deepseek-ai/dsh-session'

/** As the protocol's drafts name it; older clients read over it. */
export interface TurnUsage {
  totalTokens: number
  inputTokens: number
  outputTokens: number
  cachedReadTokens: number
  thoughtTokens: number
}

/** Of the answers of that turn; undefined when none says. Looked for from the end, where it usually is. */
export function turnUsage(events: readonly SessionEvent[], turn: number): TurnUsage | undefined {
  const sum: TurnUsage = { totalTokens: 0, inputTokens: 0, outputTokens: 0, cachedReadTokens: 0, thoughtTokens: 0 }
  let isKnown = false
  for (let i = events.length - 1; i >= 0; i--) {
    const event = events[i]
    if (event?.type === 'turn/start' && event.data.turn === turn) break
    if (event?.type !== 'assistant/message' || event.data.turn !== turn || !event.data.usage) continue
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
