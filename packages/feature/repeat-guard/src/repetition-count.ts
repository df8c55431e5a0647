/** Counts how often the same call failed, or said the same again, in one turn: a fold of the log. Pure over events. */

import { textOf } from '@deepseek-ai/dsh-llm'
import type { SessionEvent } from '@deepseek-ai/dsh-session'

/** One call that is made again and again with exactly the same arguments. */
export interface Repetition {
  name: string
  /** How often it failed since it last succeeded. */
  failures: number
  /** How often in a row it gave the same result; changes of the workspace in between do not count. */
  sameResults: number
}

interface Counted extends Repetition {
  last?: string
}

export class RepetitionCount {
  private readonly calls = new Map<string, { key: string; name: string }>()
  private readonly counts = new Map<string, Counted>()

  advance(event: SessionEvent): void {
    if (event.type === 'turn/start') {
      this.calls.clear()
      this.counts.clear()
    } else if (event.type === 'tool/call') {
      const { callId, name, arguments: args } = event.data
      this.calls.set(callId, { key: `${name}\0${args}`, name })
    } else if (event.type === 'tool/result') {
      this.settle(event.data)
    }
  }

  /** The first call that a bound is reached for; undefined when none is. */
  find(bounds: { failures: number; sameResults: number }): Repetition | undefined {
    return this.counts.values().find(each => each.failures >= bounds.failures || each.sameResults >= bounds.sameResults)
  }

  private settle({ callId, isError, content }: SessionEvent<'tool/result'>['data']): void {
    const call = this.calls.get(callId)
    if (!call) return
    this.calls.delete(callId)
    const result = textOf(content)
    const before = this.counts.get(call.key)
    this.counts.set(call.key, {
      name: call.name,
      failures: isError ? (before?.failures ?? 0) + 1 : 0,
      sameResults: before?.last === result ? before.sameResults + 1 : 1,
      last: result,
    })
  }
}
