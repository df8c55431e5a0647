/** Calls and results belong together, within their step and in order. Pure over events. */

import type { CallId } from '@deepseek-ai/dsh-llm'
import type { SessionEvent, TurnEndReason } from '@deepseek-ai/dsh-session'

/** Ends of a turn that may come in the middle of a step. */
const CUT_SHORT: ReadonlySet<string> = new Set<TurnEndReason['kind']>(['aborted', 'error', 'disposed', 'interrupted'])

export class PairingRules {
  /** What the assistant asked for in this step, in its order. */
  private asked: CallId[] = []
  private readonly started = new Map<CallId, number>()
  private readonly everStarted = new Set<CallId>()
  private results: CallId[] = []
  private hasAnswer = false

  /** Whether the open step has its assistant message. */
  get answered(): boolean {
    return this.hasAnswer
  }

  advance(event: SessionEvent): string[] {
    switch (event.type) {
      case 'step/start': {
        const faults = this.unanswered()
        this.asked = []
        this.started.clear()
        this.results = []
        this.hasAnswer = false
        return faults
      }
      case 'turn/end': {
        const { reason } = event.data
        const cut = CUT_SHORT.has(reason.kind) || (reason.kind === 'limit' && reason.which === 'deadline')
        const faults = cut ? [] : this.unanswered()
        this.asked = []
        this.results = []
        return faults
      }
      case 'assistant/message':
        return this.answer(event)
      case 'tool/call':
        return this.call(event)
      case 'tool/result':
        return this.result(event)
      default:
        return []
    }
  }

  private answer({ data }: SessionEvent<'assistant/message'>): string[] {
    const faults = this.hasAnswer ? ['the second answer of one step'] : []
    this.hasAnswer = true
    this.asked = data.content.filter(block => block.type === 'tool-call').map(block => block.id)
    return faults
  }

  private call({ seq, data: { callId } }: SessionEvent<'tool/call'>): string[] {
    const faults: string[] = []
    if (this.everStarted.has(callId)) faults.push(`${callId} is started twice`)
    if (this.asked[this.started.size] !== callId) faults.push(`${callId} is not the next call that the answer of this step asks for (${this.asked[this.started.size] ?? 'none left'})`)
    this.everStarted.add(callId)
    this.started.set(callId, seq)
    return faults
  }

  private result({ data: { callId }, sourceEventSeqs }: SessionEvent<'tool/result'>): string[] {
    const faults: string[] = []
    const call = this.started.get(callId)
    if (call === undefined) faults.push(`${callId} has no tool/call in this step`)
    else if (!sourceEventSeqs?.includes(call)) faults.push(`${callId} does not name its tool/call ${call} as its source`)
    if (this.results.includes(callId)) faults.push(`${callId} is answered twice`)
    if (this.asked[this.results.length] !== callId) faults.push(`${callId} is answered out of the order of the calls`)
    this.results.push(callId)
    return faults
  }

  private unanswered(): string[] {
    const missing = this.asked.filter(id => !this.results.includes(id))
    return missing.length === 0 ? [] : [`the step before ended although ${missing.join(', ')} had no result`]
  }
}
