/**
 * Which tool calls a log holds, asked for or started. Looks at events when it
 * is asked: hardly a log is ever asked, and a long one has many calls.
 */

import type { CallId } from '@deepseek-ai/dsh-llm'
import type { EventLog } from './event-log.ts'

/** A call of one step: ids alone may repeat in logs of other origin. */
export interface CallPlace {
  turn: number
  step: number
  callId: CallId
}

export class CallIndex {
  private readonly log: EventLog
  private readonly ids = new Set<CallId>()
  private position = 0

  /** `log` may grow from outside. */
  constructor(log: EventLog) {
    this.log = log
  }

  /** Whether a call of that id was asked for or started. */
  has(callId: CallId): boolean {
    this.catchUp()
    return this.ids.has(callId)
  }

  /** Whether it was started before event `seq`. Looks back no further than to where the step began, which is close. */
  hasStarted({ turn, step, callId }: CallPlace, seq: number): boolean {
    const { settled } = this.log
    for (let i = this.log.settledBefore(seq) - 1; i >= 0; i--) {
      const event = settled[i]
      if (event?.type === 'tool/call' && event.data.callId === callId && event.data.step === step && event.data.turn === turn) return true
      if (event?.type === 'step/start' && event.data.step === step && event.data.turn === turn) return false
    }
    return false
  }

  private catchUp(): void {
    const { settled } = this.log
    for (; this.position < settled.length; this.position++) {
      const event = settled[this.position]
      if (event?.type === 'tool/call') this.ids.add(event.data.callId)
      else if (event?.type === 'assistant/message') {
        for (const block of event.data.content) if (block.type === 'tool-call') this.ids.add(block.id)
      }
    }
  }
}
