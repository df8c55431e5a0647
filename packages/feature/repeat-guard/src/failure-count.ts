/** Counts how often the same call failed in one turn: a fold of the log. Pure over events. */

import type { SessionEvent } from '@deepseek-ai/dsh-session'

/** One call that keeps failing. */
export interface RepeatedFailure {
  name: string
  /** How often it failed, with exactly these arguments, since it last succeeded. */
  times: number
}

export class FailureCount {
  private readonly calls = new Map<string, { key: string; name: string }>()
  private readonly failures = new Map<string, RepeatedFailure>()

  advance(event: SessionEvent): void {
    if (event.type === 'turn/start') {
      this.calls.clear()
      this.failures.clear()
    } else if (event.type === 'tool/call') {
      const { callId, name, arguments: args } = event.data
      this.calls.set(callId, { key: `${name}\0${args}`, name })
    } else if (event.type === 'tool/result') {
      this.settle(event.data.callId, event.data.isError)
    }
  }

  /** The call that failed most often; undefined when none has failed. */
  worst(): RepeatedFailure | undefined {
    return [...this.failures.values()].reduce<RepeatedFailure | undefined>((worst, each) => (worst && worst.times >= each.times ? worst : each), undefined)
  }

  private settle(callId: string, isError: boolean): void {
    const call = this.calls.get(callId)
    if (!call) return
    this.calls.delete(callId)
    if (isError) this.failures.set(call.key, { name: call.name, times: (this.failures.get(call.key)?.times ?? 0) + 1 })
    else this.failures.delete(call.key)
  }
}
