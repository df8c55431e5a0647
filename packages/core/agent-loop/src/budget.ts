/** What one turn has used up, against what it may. */

import type { TurnBudget } from '@deepseek-ai/dsh-agent'
import type { ModelInfo, TokenUsage } from '@deepseek-ai/dsh-llm'
import type { TurnLimit } from '@deepseek-ai/dsh-session'

const PER_MILLION = 1e-6

export class BudgetMeter {
  private readonly budget: TurnBudget
  private steps = 0
  private tokens = 0
  private cost = 0

  constructor(budget: TurnBudget = {}) {
    this.budget = budget
  }

  addStep(): void {
    this.steps++
  }

  addUsage(usage: TokenUsage, info: ModelInfo | undefined): void {
    const cached = usage.cacheReadTokens ?? 0
    const input = usage.inputTokens + (usage.cacheWriteTokens ?? 0)
    this.tokens += input + cached + usage.outputTokens
    const price = info?.price
    if (price) this.cost += (input * price.input + cached * (price.cacheRead ?? price.input) + usage.outputTokens * price.output) * PER_MILLION
  }

  /** The first budget that is used up; checked before another step begins. */
  exhausted(): TurnLimit | undefined {
    const { maxSteps, maxTokens, maxCost } = this.budget
    if (maxSteps !== undefined && this.steps >= maxSteps) return 'steps'
    if (maxTokens !== undefined && this.tokens >= maxTokens) return 'tokens'
    return maxCost !== undefined && this.cost >= maxCost ? 'cost' : undefined
  }
}
