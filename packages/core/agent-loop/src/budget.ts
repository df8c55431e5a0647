/** What one turn has used up, against what it may. */

import type { TurnBudget } from '@deepseek-ai/dsh-agent'
import type { Cost, TokenUsage } from '@deepseek-ai/dsh-llm'
import type { TurnLimit } from '@deepseek-ai/dsh-session'

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

  /** A request whose price is not known costs nothing here. */
  addUsage({ inputTokens, cacheReadTokens = 0, cacheWriteTokens = 0, outputTokens }: TokenUsage, cost: Cost | undefined): void {
    this.tokens += inputTokens + cacheReadTokens + cacheWriteTokens + outputTokens
    this.cost += cost?.amount ?? 0
  }

  /** The first budget that is used up; checked before another step begins. */
  exhausted(): TurnLimit | undefined {
    const { maxSteps, maxTokens, maxCost } = this.budget
    if (maxSteps !== undefined && this.steps >= maxSteps) return 'steps'
    if (maxTokens !== undefined && this.tokens >= maxTokens) return 'tokens'
    return maxCost !== undefined && this.cost >= maxCost ? 'cost' : undefined
  }
}
