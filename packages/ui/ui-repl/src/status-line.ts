/** What stands below the editor: model, context, cache, cost, permission mode, session; and while something runs, for how long. */

import { truncateToWidth, visibleWidth, type Component } from '@earendil-works/pi-tui'
import { sentTokens, type Cost, type TokenUsage } from '@deepseek-ai/dsh-llm'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import type { Theme } from '@deepseek-ai/dsh-terminal-view'

export interface StatusFacts {
  model: string
  contextWindow: number | undefined
  mode: string | undefined
  session: string
}

/** Sums over a session's answers. */
export class UsageFold {
  input = 0
  output = 0
  cached = 0
  /** Tokens of the last request and its answer: what the context holds now. */
  context = 0
  readonly costs = new Map<string, number>()

  advance(event: SessionEvent): void {
    if (event.type !== 'assistant/message') return
    const { usage, cost } = event.data
    if (usage) this.#add(usage)
    if (cost) this.#pay(cost)
  }

  #add(usage: TokenUsage): void {
    const input = sentTokens(usage)
    this.input += input
    this.output += usage.outputTokens
    this.cached += usage.cacheReadTokens ?? 0
    this.context = input + usage.outputTokens
  }

  #pay({ currency, amount }: Cost): void {
    this.costs.set(currency, (this.costs.get(currency) ?? 0) + amount)
  }
}

export class StatusLine implements Component {
  readonly #theme: Theme
  readonly #facts: () => StatusFacts
  readonly #usage: UsageFold

  constructor(theme: Theme, usage: UsageFold, facts: () => StatusFacts) {
    this.#theme = theme
    this.#usage = usage
    this.#facts = facts
  }

  render(width: number): string[] {
    const { model, contextWindow, mode, session } = this.#facts()
    const { context, input, cached, output, costs } = this.#usage
    const parts = [
      { text: model, rank: 0 },
      { text: context === 0 ? '' : contextWindow === undefined ? `${short(context)} in context` : `${percent(context, contextWindow)} of ${short(contextWindow)} context`, rank: 2 },
      { text: input === 0 ? '' : `${percent(cached, input)} cached`, rank: 4 },
      { text: input === 0 ? '' : `↑${short(input)} ↓${short(output)}`, rank: 6 },
      { text: [...costs].map(([currency, amount]) => money(currency, amount)).join(' + '), rank: 3 },
      { text: mode === undefined ? '' : `${mode} mode`, rank: 1 },
      { text: session, rank: 5 },
    ].filter(({ text }) => text !== '')
    const line = (): string => parts.map(({ text }) => text).join(' · ')
    // What does not fit is left out by its rank, so that the model and what it may do stay.
    while (parts.length > 1 && visibleWidth(line()) > width) {
      const last = Math.max(...parts.map(({ rank }) => rank))
      parts.splice(parts.findIndex(({ rank }) => rank === last), 1)
    }
    return [this.#theme.dim(truncateToWidth(line(), width))]
  }

  invalidate(): void {
    // Nothing is kept between frames.
  }
}

function percent(part: number, whole: number): string {
  return `${Math.round((100 * part) / whole)} %`
}

function short(count: number): string {
  return count < 1000 ? String(count) : count < 1_000_000 ? `${(count / 1000).toFixed(count < 10_000 ? 1 : 0)}k` : `${(count / 1_000_000).toFixed(1)}M`
}

function money(currency: string, amount: number): string {
  return `${currency === 'USD' ? '$' : currency === 'CNY' ? '¥' : `${currency} `}${amount < 0.01 ? amount.toFixed(4) : amount.toFixed(2)}`
}
