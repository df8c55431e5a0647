/** What one turn has used up, against what it may. */

import type { TurnBudget } from '@deepseek-ai/dsh-agent'
import { sentTokens, type Cost, type TokenUsage } from '@deepseek-ai/dsh-llm'
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
  addUsage(usage: TokenUsage, cost: Cost | undefined): void {
    this.tokens += sentTokens(usage) + usage.outputTokens
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
