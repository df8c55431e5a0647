/** How full the window is and what the session has cost: a fold of its answers. */

import type { UsageUpdate } from '@agentclientprotocol/sdk'
import { sentTokens, type Cost } from '@deepseek-ai/dsh-llm'
import type { SessionEvent } from '@deepseek-ai/dsh-session'

export class UsageFold {
  #used: number | undefined
  #cost: Cost | undefined

  /** Takes in an answer; true when that changed something. */
  advance({ data: { usage, cost } }: SessionEvent<'assistant/message'>): boolean {
    // A second currency cannot be added to the first one.
    if (cost && (!this.#cost || this.#cost.currency === cost.currency)) this.#cost = { currency: cost.currency, amount: (this.#cost?.amount ?? 0) + cost.amount }
    if (!usage) return false
    this.#used = sentTokens(usage) + usage.outputTokens
    return true
  }

  /** Undefined before the first answer, and for a model whose window is not known. */
  render(contextWindow: number | undefined): UsageUpdate | undefined {
    if (this.#used === undefined || contextWindow === undefined) return undefined
    return { used: this.#used, size: contextWindow, ...(this.#cost && { cost: { ...this.#cost } }) }
  }
}
