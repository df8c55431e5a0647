/**
 * Reads the provider's events into stream chunks. Pure: no socket, no clock.
 *
 * Usage and the finish reason may come in any event; both are kept until
 * `close`, which is called once at the provider's end marker.
 */

import { LlmError, type Message, type StreamChunk, type TokenUsage } from '@deepseek-ai/dsh-llm'
import { clipEnd } from '@deepseek-ai/dsh-text'
import { MarkupFilter } from '@deepseek-ai/dsh-tool-markup'
import { CallIds } from './call-ids.ts'
import { concludeAnswer } from './conclude-answer.ts'
import { ToolCallSlots, type CallFragment } from './tool-call-slots.ts'
import { parseUsage } from './usage.ts'

/** What the reader needs of its surroundings. */
export interface ReaderOptions {
  messages: readonly Message[]
  /** The names of the tools that the request offered. */
  tools: ReadonlySet<string>
  emit: (chunk: StreamChunk) => void
  /** Makes the error for an error object inside the stream. */
  failure: (body: string) => LlmError
  /** Something odd that was mended; for the logger. */
  note: (message: string) => void
}

interface Delta {
  content?: unknown
  reasoning_content?: unknown
  reasoning?: unknown
  tool_calls?: unknown
  function_call?: CallFragment['function']
}

interface Choice {
  delta?: Delta | null
  message?: Delta | null
  finish_reason?: unknown
}

interface Frame {
  error?: unknown
  choices?: readonly Choice[] | null
  usage?: unknown
}

/** Text of one kind, whose index is fixed when its first piece goes out. */
interface Run {
  index: number
  pieces: string[]
}

export class AnswerReader {
  private readonly options: ReaderOptions
  private readonly filter: MarkupFilter
  private readonly calls: ToolCallSlots
  private blocks = 0
  private text: Run | undefined
  private reasoning: Run | undefined
  private reason: string | undefined
  private usage: TokenUsage | undefined
  /** Whether the provider has given a finish reason: without one a broken stream is incomplete. */
  finished = false

  constructor(options: ReaderOptions) {
    this.options = options
    this.filter = new MarkupFilter(name => options.tools.has(name))
    this.calls = new ToolCallSlots(new CallIds(options.messages), () => this.blocks++, options.emit)
  }

  /** One payload. Throws `LlmError` for an error object or for something that is no event. */
  read(payload: string): void {
    const one = parseFrame(payload)
    if (one) this.frame(one, payload)
    else for (const frame of parseGlued(payload)) this.frame(frame, payload)
  }

  /** Emits the ends of all blocks, the usage and the finish. Throws what the answer as a whole deserves. */
  close(): void {
    const { emit } = this.options
    const { calls, text, broken } = this.filter.end()
    if (text !== '') this.addText(text)
    if (calls.length > 0) this.adopt(calls)
    if (broken) this.options.note('dropped tool-call markup from the text of the answer: it is incomplete or names no known tool')
    this.endRun(this.reasoning, 'reasoning')
    this.endRun(this.text, 'text')
    const made = this.calls.close()
    if (this.usage) emit({ type: 'usage', usage: this.usage })
    const reason = concludeAnswer({
      reason: this.reason,
      text: this.text?.pieces.join('') ?? '',
      reasoning: this.reasoning?.pieces.join('') ?? '',
      calls: made.length,
      brokenMarkup: broken,
    })
    emit({ type: 'finish', reason })
  }

  private frame(frame: Frame, payload: string): void {
    if (frame.error !== undefined && frame.error !== null) throw this.options.failure(payload)
    if (frame.usage !== undefined && frame.usage !== null) this.usage = parseUsage(frame.usage) ?? this.usage
    const choice = frame.choices?.[0]
    if (!choice) return
    const delta = choice.delta ?? choice.message
    if (delta) this.delta(delta)
    // Some servers put an empty one into every event.
    if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') {
      this.reason = choice.finish_reason
      this.finished = true
    }
  }

  private delta(delta: Delta): void {
    const { content, tool_calls: fragments, function_call: legacy } = delta
    const reasoning = delta.reasoning_content ?? delta.reasoning
    if (typeof reasoning === 'string' && reasoning !== '') this.reasoning = this.add(this.reasoning, 'reasoning', reasoning)
    if (typeof content === 'string' && content !== '') this.addText(this.filter.push(content))
    if (Array.isArray(fragments)) for (const fragment of fragments) if (isFragment(fragment)) this.calls.push(fragment)
    if (legacy) this.calls.push({ function: legacy })
  }

  private addText(text: string): void {
    if (text !== '') this.text = this.add(this.text, 'text', text)
  }

  private add(known: Run | undefined, type: 'text' | 'reasoning', text: string): Run {
    const run = known ?? this.start(type)
    run.pieces.push(text)
    this.options.emit(type === 'text' ? { type: 'text-delta', index: run.index, text } : { type: 'reasoning-delta', index: run.index, text })
    return run
  }

  private start(type: 'text' | 'reasoning'): Run {
    const run: Run = { index: this.blocks++, pieces: [] }
    this.options.emit({ type: 'block-start', index: run.index, blockType: type })
    return run
  }

  private endRun(run: Run | undefined, type: 'text' | 'reasoning'): void {
    if (run) this.options.emit({ type: 'block-end', index: run.index, block: { type, text: run.pieces.join('') } })
  }

  /** Leaked calls count only where no real ones came: some servers send both, and nothing may run twice. */
  private adopt(calls: readonly { name: string; arguments: string }[]): void {
    const { note } = this.options
    if (this.calls.count > 0) {
      note(`dropped ${calls.length} tool call(s) that the answer holds twice, as markup in its text`)
      return
    }
    note(`read ${calls.length} tool call(s) from markup that leaked into the text of the answer`)
    for (const call of calls) this.calls.add(call.name, call.arguments)
  }
}

/**
 * Frames of a payload that is not one JSON text: none for what is not meant for
 * us (blanks, comments that a proxy put into a data field), several when a
 * server leaves out the blank lines between its events.
 */
function parseGlued(payload: string): Frame[] {
  const lines = payload.split('\n').filter(line => !/^\s*(:.*)?$/.test(line) && line !== '[DONE]')
  return lines.map(line => {
    const frame = parseFrame(line)
    if (frame) return frame
    throw new LlmError('MALFORMED_RESPONSE', `the provider sent an event that is not JSON: ${clipEnd(line, 120)}`)
  })
}

function parseFrame(text: string): Frame | undefined {
  try {
    return asFrame(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function asFrame(value: unknown): Frame {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Frame
  throw new LlmError('MALFORMED_RESPONSE', `the provider sent an event that is not an object: ${clipEnd(JSON.stringify(value), 120)}`)
}

function isFragment(value: unknown): value is CallFragment {
  return typeof value === 'object' && value !== null
}
