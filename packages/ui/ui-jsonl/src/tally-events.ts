/** Sums up what a run used: a fold of its events. */

import { parseJsonObject, type JsonObject } from '@deepseek-ai/dsh-json'
import type { TokenUsage } from '@deepseek-ai/dsh-llm'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import type { Refusal, Tally, UsageSum } from './types.ts'

/** Refusals of a call, by the code of its result. */
const REFUSED: ReadonlySet<string> = new Set(['PERMISSION_REQUIRED', 'READ_ONLY', 'DENIED'])

/** Feed it every event of the run, in order; `tally` is what there is so far. */
export class EventTally implements Tally {
  turns = 0
  steps = 0
  readonly usage: UsageSum = noUsage()
  readonly byModel: Record<string, UsageSum> = {}
  readonly refusals: Refusal[] = []
  requestMs = 0
  finish: string | undefined
  readonly #amounts = new Map<string, number>()
  readonly #calls = new Map<string, { tool: string; arguments: string }>()
  #hasUnpriced = false
  #askedAt: number | undefined

  get cost(): Tally['cost'] {
    const [first, ...others] = this.#amounts
    if (!first || others.length > 0 || this.#hasUnpriced) return undefined
    const [currency, amount] = first
    return { amount, currency }
  }

  add(event: SessionEvent): void {
    switch (event.type) {
      case 'turn/start':
        if (event.data.trigger.kind === 'message') this.turns++
        return
      case 'step/start':
        this.steps++
        this.#askedAt = event.time
        return
      case 'assistant/message':
        return this.#addAnswer(event)
      case 'tool/call':
        this.#calls.set(event.data.callId, { tool: event.data.name, arguments: event.data.arguments })
        return
      case 'tool/result':
        return this.#addResult(event.data)
    }
  }

  #addAnswer({ time, data }: SessionEvent<'assistant/message'>): void {
    const { usage, cost, model, finish } = data
    this.finish = finish.kind
    if (this.#askedAt !== undefined) this.requestMs += Math.max(0, time - this.#askedAt)
    this.#askedAt = undefined
    if (cost) this.#amounts.set(cost.currency, (this.#amounts.get(cost.currency) ?? 0) + cost.amount)
    if (!usage) return
    if (!cost) this.#hasUnpriced = true
    addUsage(this.usage, usage)
    addUsage((this.byModel[model] ??= noUsage()), usage)
  }

  #addResult({ callId, error }: SessionEvent<'tool/result'>['data']): void {
    const call = this.#calls.get(callId)
    this.#calls.delete(callId)
    if (!error || !REFUSED.has(error.code)) return
    this.refusals.push({ callId, tool: call?.tool ?? 'unknown', arguments: argumentsOf(call?.arguments ?? ''), code: error.code })
  }
}

/** Of a call as the model wrote it; what is not JSON stands under `unparsed`. */
export function argumentsOf(raw: string): JsonObject {
  const parsed = parseJsonObject(raw)
  return parsed.kind === 'object' ? parsed.value : { unparsed: raw }
}

function noUsage(): UsageSum {
  return { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 }
}

function addUsage(sum: UsageSum, { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 }: TokenUsage): void {
  sum.input += inputTokens
  sum.output += outputTokens
  sum.cacheRead += cacheReadTokens
  sum.cacheWrite += cacheWriteTokens
  sum.reasoning += reasoningTokens
}
