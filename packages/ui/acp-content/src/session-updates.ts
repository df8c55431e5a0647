/**
 * The log of a session as the updates of the protocol: while it grows, and
 * again when a session is loaded. Both ways end in the same picture: the same
 * calls with the same ids, kinds, titles and states, and the same messages.
 */

import type { SessionUpdate, ToolCallUpdate } from '@agentclientprotocol/sdk'
import { parseJsonObject, type JsonObject, type JsonValue } from '@deepseek-ai/dsh-json'
import type { CallId, StreamChunk } from '@deepseek-ai/dsh-llm'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { clipStart, stripControls } from '@deepseek-ai/dsh-text'
import type { ToolCallView, ToolKind, ToolResult, ToolResultView } from '@deepseek-ai/dsh-tools'
import { toAcpBlock } from './acp-blocks.ts'
import { readPlan } from './plan.ts'
import { callCard, consoleOf, resultCard, type Card } from './tool-card.ts'
import { UsageFold } from './usage-fold.ts'

/** As much of a running command's output as one update shows, in UTF-16 units. */
const LONGEST_PROGRESS = 16_000

/** How tools show themselves. None of these throws. */
export interface ToolViews {
  kind(name: string): ToolKind
  call(name: string, args: JsonObject): ToolCallView | undefined
  result(name: string, args: JsonObject, result: ToolResult): ToolResultView | undefined
}

export interface UpdatesOptions {
  /** Absolute: the session's directory. */
  cwd: string
  views: ToolViews
  contextWindow(model: string): number | undefined
  /** The client shows notices. */
  hasNotices: boolean
}

/** A call that has been shown and has no result yet. */
interface OpenCall {
  name: string
  args: JsonObject
  card: Card
  rawInput?: JsonValue
  /** The client's own, which shows the output by itself. */
  terminalId?: string
  isRunning?: boolean
  output: string
}

export class SessionUpdates {
  readonly #options: UpdatesOptions
  readonly #usage = new UsageFold()
  readonly #open = new Map<CallId, OpenCall>()
  /** Failed attempts of the step that is running: a new attempt is a new message. */
  #failures = 0

  constructor(options: UpdatesOptions) {
    this.#options = options
  }

  /** An event that was appended just now. */
  live(event: SessionEvent): SessionUpdate[] {
    switch (event.type) {
      case 'assistant/chunk':
        return this.#chunk(event)
      case 'assistant/message':
      case 'user/message':
      case 'steering/message':
        return this.#absorb(event)
      default:
        return this.#either(event, true)
    }
  }

  /** An event that was appended before the client came. */
  replay(event: SessionEvent): SessionUpdate[] {
    switch (event.type) {
      case 'user/message':
      case 'steering/message':
        return event.data.source.kind === 'user' ? this.#userMessage(event) : []
      case 'assistant/message':
        return [...this.#assistantMessage(event), ...this.#absorb(event)]
      case 'assistant/chunk':
        return []
      default:
        return this.#either(event, false)
    }
  }

  /** An event that the client knows of already. */
  skip(event: SessionEvent): void {
    if (event.type !== 'assistant/chunk') this.#absorb(event)
  }

  /** What a replay has left open was ended by whatever ended the session. */
  closeOpen(): SessionUpdate[] {
    return this.#failOpen()
  }

  /** The call as it was shown, for a permission request. */
  describe(callId: CallId, name: string, args: JsonObject): ToolCallUpdate {
    const open = this.#open.get(callId)
    const { title, kind, content, locations } = open?.card ?? this.#cardOf(name, args)
    return { toolCallId: callId, title, kind, status: 'pending', rawInput: args, ...(content && { content }), ...(locations && { locations }) }
  }

  /** The body of a call begins. */
  begin(callId: CallId): SessionUpdate[] {
    const open = this.#open.get(callId)
    if (!open) return []
    open.isRunning = true
    return [{ sessionUpdate: 'tool_call_update', toolCallId: callId, status: 'in_progress' }]
  }

  /** After a replay of a turn that goes on: what is known of its calls only by those who have followed it. */
  continue(from: SessionUpdates): SessionUpdate[] {
    return [...this.#open].flatMap(([callId, call]) => {
      const followed = from.#open.get(callId)
      if (followed?.isRunning !== true) return []
      const { output, terminalId } = followed
      Object.assign(call, { isRunning: true, output, ...(terminalId !== undefined && { terminalId }) })
      return terminalId === undefined ? [...this.begin(callId), ...this.progress(callId)] : this.showTerminal(callId, terminalId)
    })
  }

  /** The call's output is shown by a terminal of the client. */
  showTerminal(callId: CallId, terminalId: string): SessionUpdate[] {
    const open = this.#open.get(callId)
    if (!open) return []
    open.terminalId = terminalId
    return [{ sessionUpdate: 'tool_call_update', toolCallId: callId, status: 'in_progress', content: [{ type: 'terminal', terminalId }] }]
  }

  /** Keeps a piece of a running call's output; `progress` shows it. */
  addOutput(callId: CallId, piece: string): void {
    const open = this.#open.get(callId)
    if (open) open.output = clipStart(open.output + piece, LONGEST_PROGRESS)
  }

  /** The end of the output so far, as an update that replaces the last one. */
  progress(callId: CallId): SessionUpdate[] {
    const open = this.#open.get(callId)
    if (!open || open.output === '' || open.terminalId !== undefined) return []
    const mark = open.output.length >= LONGEST_PROGRESS - 1 ? '… (only the end is shown while it runs)\n' : ''
    return [{ sessionUpdate: 'tool_call_update', toolCallId: callId, content: consoleOf(mark + open.output) }]
  }

  #either(event: SessionEvent, isLive: boolean): SessionUpdate[] {
    const plan = readPlan(event)
    if (plan) return [{ sessionUpdate: 'plan', entries: plan }]
    switch (event.type) {
      case 'step/start':
        this.#failures = 0
        return []
      case 'llm/attempt':
        return this.#attempt(event, isLive)
      case 'tool/call':
        return this.#call(event)
      case 'tool/result':
        return this.#result(event)
      case 'session/title':
        return [{ sessionUpdate: 'session_info_update', title: event.data.title, updatedAt: new Date(event.time).toISOString() }]
      case 'turn/end':
        return this.#failOpen()
      default:
        return []
    }
  }

  #chunk({ data: { turn, step, chunk } }: SessionEvent<'assistant/chunk'>): SessionUpdate[] {
    switch (chunk.type) {
      case 'text-delta':
        return this.#said('agent_message_chunk', chunk.text, this.#messageId(turn, step))
      case 'reasoning-delta':
        return this.#said('agent_thought_chunk', chunk.text, `${this.#messageId(turn, step)}-thought`)
      case 'tool-call-delta':
        return this.#announce(chunk)
      default:
        return []
    }
  }

  /** Arguments may take a while to come: the card is there as soon as the name is. */
  #announce({ id, name }: Extract<StreamChunk, { type: 'tool-call-delta' }>): SessionUpdate[] {
    if (name === undefined || name === '' || this.#open.has(id)) return []
    const card: Card = { title: name, kind: this.#options.views.kind(name) }
    this.#open.set(id, { name, args: {}, card, output: '' })
    return [{ sessionUpdate: 'tool_call', toolCallId: id, title: name, name, kind: card.kind, status: 'pending' }]
  }

  #call({ data: { callId, name, arguments: raw } }: SessionEvent<'tool/call'>): SessionUpdate[] {
    const parsed = parseJsonObject(raw)
    const args = parsed.kind === 'object' ? parsed.value : {}
    const wasShown = this.#open.has(callId)
    // What could not be read cannot be shown by the tool either.
    const { title, ...card } = this.#cardOf(name, parsed.kind === 'object' ? args : undefined)
    const rawInput = parsed.kind === 'object' ? parsed.value : raw
    this.#open.set(callId, { name, args, card: { title, ...card }, rawInput, output: '' })
    return [{ sessionUpdate: wasShown ? 'tool_call_update' : 'tool_call', toolCallId: callId, title, name, status: 'pending', ...card, rawInput }]
  }

  #result({ data: { callId, content, isError, error, meta } }: SessionEvent<'tool/result'>): SessionUpdate[] {
    const open = this.#open.get(callId)
    if (!open) return []
    this.#open.delete(callId)
    const result: ToolResult = { content, isError, ...(meta !== undefined && { meta }) }
    const { content: shown, ...card } = resultCard(this.#options.views.result(open.name, open.args, result), result, this.#options)
    const output = content.flatMap(block => (block.type === 'text' ? [stripControls(block.text)] : [])).join('\n')
    const rawOutput = { output, ...(error && { error: { ...error } }), ...(meta !== undefined && { meta }) }
    const kept = open.terminalId === undefined ? shown : [{ type: 'terminal' as const, terminalId: open.terminalId }]
    return [{ sessionUpdate: 'tool_call_update', toolCallId: callId, status: isError ? 'failed' : 'completed', ...card, content: kept, rawOutput }]
  }

  #attempt({ data: { error, retryInMs } }: SessionEvent<'llm/attempt'>, isLive: boolean): SessionUpdate[] {
    this.#failures++
    const failed = this.#failOpen()
    if (!isLive || !this.#options.hasNotices || retryInMs === undefined) return failed
    const title = `The request failed; trying again in ${(retryInMs / 1000).toFixed(1)} s`
    return [...failed, { sessionUpdate: 'notice', severity: 'warning', title, description: `${stripControls(error.message)} [${error.code}]` }]
  }

  /** Calls that were announced and will never run, or whose end nobody logged. */
  #failOpen(): SessionUpdate[] {
    const ids = [...this.#open.keys()]
    this.#open.clear()
    return ids.map(toolCallId => ({ sessionUpdate: 'tool_call_update', toolCallId, status: 'failed' }))
  }

  #userMessage({ seq, data }: SessionEvent<'user/message' | 'steering/message'>): SessionUpdate[] {
    return data.content.flatMap(block => {
      const content = toAcpBlock(block)
      return content ? [{ sessionUpdate: 'user_message_chunk' as const, content, messageId: `user-${seq}` }] : []
    })
  }

  #assistantMessage({ data: { turn, step, content } }: SessionEvent<'assistant/message'>): SessionUpdate[] {
    const id = this.#messageId(turn, step)
    return content.flatMap(block => {
      if (block.type === 'reasoning') return this.#said('agent_thought_chunk', block.text, `${id}-thought`)
      return block.type === 'text' ? this.#said('agent_message_chunk', block.text, id) : []
    })
  }

  #said(sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk', said: string, messageId: string): SessionUpdate[] {
    const text = stripControls(said)
    return text === '' ? [] : [{ sessionUpdate, content: { type: 'text', text }, messageId }]
  }

  #absorb(event: SessionEvent): SessionUpdate[] {
    if (event.type !== 'assistant/message' || !this.#usage.advance(event)) return []
    const usage = this.#usage.render(this.#options.contextWindow(event.data.model))
    return usage ? [{ sessionUpdate: 'usage_update', ...usage }] : []
  }

  #messageId(turn: number, step: number): string {
    return `answer-${turn}.${step}${this.#failures > 0 ? `.${this.#failures}` : ''}`
  }

  #cardOf(name: string, args: JsonObject | undefined): Required<Pick<Card, 'title' | 'kind'>> & Card {
    const { views, cwd } = this.#options
    return callCard(args && views.call(name, args), { cwd, name, kind: views.kind(name) })
  }
}
