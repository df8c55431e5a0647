/** What a session has used up so far, by model. Pure over events. */

import { sentTokens } from '@deepseek-ai/dsh-llm'
import type { SessionEvent } from '@deepseek-ai/dsh-session'

export interface ModelUsage {
  model: string
  requests: number
  /** Tokens that were sent, those from the cache included. */
  input: number
  cached: number
  output: number
  reasoning: number
  /** By currency; empty where no price is known. */
  costs: Map<string, number>
}

/** In the order in which the models were first used. */
export function reportUsage(events: Iterable<SessionEvent>): ModelUsage[] {
  const byModel = new Map<string, ModelUsage>()
  for (const event of events) {
    if (event.type !== 'assistant/message') continue
    const { model, usage, cost } = event.data
    const sums = byModel.get(model) ?? { model, requests: 0, input: 0, cached: 0, output: 0, reasoning: 0, costs: new Map<string, number>() }
    byModel.set(model, sums)
    sums.requests++
    if (usage) {
      sums.input += sentTokens(usage)
      sums.cached += usage.cacheReadTokens ?? 0
      sums.output += usage.outputTokens
      sums.reasoning += usage.reasoningTokens ?? 0
    }
    if (cost) sums.costs.set(cost.currency, (sums.costs.get(cost.currency) ?? 0) + cost.amount)
  }
  return [...byModel.values()]
}
