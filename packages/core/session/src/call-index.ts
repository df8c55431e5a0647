/**
 * Which tool calls a log holds, asked for or started. Looks at events when it
 * is asked: hardly a log is ever asked, and a long one has many calls.
 */

import type { CallId } from '@deepseek-ai/dsh-llm'
import type { SessionEvent } from './types.ts'

/** A call of one step: ids alone may repeat in logs of other origin. */
export interface CallPlace {
  turn: number
  step: number
  callId: CallId
}

export class CallIndex {
  private readonly log: readonly SessionEvent[]
  private readonly ids = new Set<CallId>()
  private readonly started = new Map<string, number>()
  private position = 0

  /** `log` may grow from outside. */
  constructor(log: readonly SessionEvent[]) {
    this.log = log
  }

  /** Whether a call of that id was asked for or started. */
  has(callId: CallId): boolean {
    this.catchUp()
    return this.ids.has(callId)
  }

  /** Whether it was started before event `seq`. */
  hasStarted(call: CallPlace, seq: number): boolean {
    this.catchUp()
    return (this.started.get(keyOf(call)) ?? Infinity) < seq
  }

  private catchUp(): void {
    for (; this.position < this.log.length; this.position++) {
      const event = this.log[this.position]
      if (event?.type === 'tool/call') this.start(event)
      else if (event?.type === 'assistant/message') {
        for (const block of event.data.content) if (block.type === 'tool-call') this.ids.add(block.id)
      }
    }
  }

  private start({ seq, data }: SessionEvent<'tool/call'>): void {
    const key = keyOf(data)
    if (!this.started.has(key)) this.started.set(key, seq)
    this.ids.add(data.callId)
  }
}

function keyOf({ turn, step, callId }: CallPlace): string {
  return `${turn}/${step}/${callId}`
}
