/**
 * Turns the surface into the messages that the model is sent. Pure over events.
 *
 *     user/message       a user message
 *     assistant/message  an assistant message; nothing when it has neither text nor a call
 *     tool/result        a user message of one tool-result block
 *     context/message    a user message within <context source="…"> … </context>
 *     steering/message   the same with <steering …>
 *
 * Two guarantees hold whatever the log says. Every tool call is followed by
 * exactly one result: a missing one is made up and says whether the call had
 * started, one without a call is left out. And nothing stands between a call
 * and its results: context that came meanwhile goes after the last of them.
 *
 * What a closed group says depends only on what is before the event that closes
 * it, so a fold that is kept and one from scratch agree at every point.
 */

import { deepFreeze } from '@deepseek-ai/dsh-json'
import { text, type CallId, type ContentBlock, type Message, type MessageSource } from '@deepseek-ai/dsh-llm'
import type { CallIndex } from './call-index.ts'
import type { SurfaceEvent } from './surface.ts'
import type { DerivationRepair, SessionEvent } from './types.ts'

/** An assistant message whose calls are not all answered yet. Never changed in place: marks hold it too. */
interface OpenCalls {
  turn: number
  step: number
  pending: readonly CallId[]
  /** What must wait until the last result. */
  held: readonly Message[]
}

/**
 * A fold that only ever looks at new nodes. `rewind` takes it back to a
 * position of the surface. Messages are frozen and keep their identity.
 */
export class MessageFold {
  readonly repairs: DerivationRepair[] = []
  private readonly messages: Message[] = []
  // How far it had come before each surface position, so that it can go back there: a list each, because a long log has many.
  private readonly messagesBefore: number[] = []
  private readonly repairsBefore: number[] = []
  private readonly openBefore: (OpenCalls | undefined)[] = []
  private open: OpenCalls | undefined
  private readonly calls: CallIndex
  private settled: readonly Message[] | undefined

  /** `calls` are those of the log. */
  constructor(calls: CallIndex) {
    this.calls = calls
  }

  /** How many surface positions have been folded. */
  get position(): number {
    return this.openBefore.length
  }

  /** Forgets everything from `position` on. */
  rewind(position: number): void {
    if (position >= this.position) return
    this.messages.length = this.messagesBefore[position] ?? 0
    this.repairs.length = this.repairsBefore[position] ?? 0
    this.open = this.openBefore[position]
    for (const list of [this.messagesBefore, this.repairsBefore, this.openBefore]) list.length = position
    this.settled = undefined
  }

  advance(event: SurfaceEvent): void {
    this.messagesBefore.push(this.messages.length)
    this.repairsBefore.push(this.repairs.length)
    this.openBefore.push(this.open)
    this.settled = undefined
    switch (event.type) {
      case 'user/message':
        this.close(event.seq)
        if (event.data.content.length > 0) this.add('user', event.data.content)
        return
      case 'assistant/message':
        return this.assistant(event)
      case 'tool/result':
        return this.result(event)
      case 'context/message':
        return this.aside('context', event.data)
      case 'steering/message':
        return this.aside('steering', event.data)
    }
  }

  /** The messages as a request would carry them now: calls that are still open get their synthetic results. */
  derive(): readonly Message[] {
    if (!this.open) return (this.settled ??= this.messages.slice())
    // Not kept: a call may start without anything new on the surface.
    return [...this.messages, ...this.closing(this.open), ...this.open.held]
  }

  /** All that `derive` mended, the calls that are open now included. */
  allRepairs(): DerivationRepair[] {
    return [...this.repairs, ...(this.open ? this.missing(this.open) : [])]
  }

  private assistant(event: SessionEvent<'assistant/message'>): void {
    this.close(event.seq)
    const { turn, step, content } = event.data
    if (!hasSubstance(content)) return
    this.add('assistant', content)
    const pending = callIdsOf(content)
    if (pending.length > 0) this.open = { turn, step, pending, held: [] }
  }

  private result(event: SessionEvent<'tool/result'>): void {
    const { callId, content, isError } = event.data
    const { open } = this
    if (!open?.pending.includes(callId)) {
      this.repairs.push({ kind: 'orphan-result', callId, seq: event.seq })
      return
    }
    this.messages.push(resultMessage(callId, content, isError))
    this.open = { ...open, pending: open.pending.filter(id => id !== callId) }
    if (open.pending.length === 1) this.close(event.seq)
  }

  private aside(tag: 'context' | 'steering', { content, source }: { content: ContentBlock[]; source: MessageSource }): void {
    const message = deepFreeze<Message>({ role: 'user', content: [text(`<${tag} source="${nameOf(source)}">`), ...content, text(`</${tag}>`)] })
    if (this.open) this.open = { ...this.open, held: [...this.open.held, message] }
    else this.messages.push(message)
  }

  /** Ends the open group: missing results first, then what had to wait. `seq` is the event that ends it. */
  private close(seq: number): void {
    const { open } = this
    if (!open) return
    this.open = undefined
    if (open.pending.length > 0) {
      this.repairs.push(...this.missing(open, seq))
      this.messages.push(...this.closing(open, seq))
    }
    this.messages.push(...open.held)
  }

  private add(role: 'user' | 'assistant', content: ContentBlock[]): void {
    this.messages.push(Object.freeze<Message>({ role, content: deepFreeze(content) }))
  }

  private missing(open: OpenCalls, before = Infinity): DerivationRepair[] {
    return open.pending.map(callId => ({ kind: 'missing-result', callId, state: this.hasStarted(open, callId, before) ? 'outcome-unknown' : 'not-started' }))
  }

  private closing(open: OpenCalls, before = Infinity): Message[] {
    return open.pending.map(callId => resultMessage(callId, [text(this.hasStarted(open, callId, before) ? OUTCOME_UNKNOWN : NOT_STARTED)], true))
  }

  private hasStarted({ turn, step }: OpenCalls, callId: CallId, before: number): boolean {
    return this.calls.hasStarted({ turn, step, callId }, before)
  }
}

/** Each once, in order. */
function callIdsOf(content: readonly ContentBlock[]): CallId[] {
  const ids: CallId[] = []
  for (const block of content) if (block.type === 'tool-call' && !ids.includes(block.id)) ids.push(block.id)
  return ids
}

/** Whether there is more in it than thoughts and white space: a message without is refused by providers. */
export function hasSubstance(content: readonly ContentBlock[]): boolean {
  return content.some(block => block.type !== 'reasoning' && (block.type !== 'text' || block.text.trim() !== ''))
}

/** What the model reads in place of the result of a call that never ran. */
export const NOT_STARTED = 'Error: this call was not started; it had no effect.'

/** What the model reads in place of a result that was lost. */
export const OUTCOME_UNKNOWN = 'Error: this call was interrupted and its outcome is unknown; it may have had effects. Check before you repeat it.'

function resultMessage(toolCallId: CallId, content: ContentBlock[], isError: boolean): Message {
  const inner = deepFreeze(content)
  const block: ContentBlock = isError ? { type: 'tool-result', toolCallId, content: inner, isError } : { type: 'tool-result', toolCallId, content: inner }
  return Object.freeze<Message>({ role: 'user', content: Object.freeze([Object.freeze(block)]) as ContentBlock[] })
}

function nameOf(source: MessageSource): string {
  if (source.kind === 'plugin') return source.plugin
  return source.kind === 'agent' ? `agent:${source.agentId}` : source.kind
}
