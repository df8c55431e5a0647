/** The pieces of a message as it streams, as Anthropic's API sends them: what `stream_event` lines hold. */

import type { ContentBlock, StreamChunk, TokenUsage } from '@deepseek-ai/dsh-llm'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { stopReasonOf, usageOf } from './stream-shapes.ts'

type Piece = Readonly<Record<string, unknown>> & { type: string }
type Chunk<T extends StreamChunk['type']> = Extract<StreamChunk, { type: T }>

const NONE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

/** Feed it every event in order. A failed attempt leaves its message unended, and the next begins another. */
export class PartialMessages {
  #model = ''
  #isOpen = false
  #usage: TokenUsage | undefined
  /** The blocks that have been announced, by their index. */
  readonly #started = new Set<number>()

  event(event: SessionEvent): Piece[] {
    switch (event.type) {
      case 'assistant/chunk':
        return [...this.#open(event), ...this.#chunk(event.data.chunk)]
      case 'assistant/message':
        this.#model = event.data.model
        this.#reset()
        return []
      case 'llm/attempt':
      case 'turn/end':
        this.#reset()
        return []
      default:
        return []
    }
  }

  #reset(): void {
    this.#isOpen = false
    this.#usage = undefined
    this.#started.clear()
  }

  #open({ seq }: SessionEvent): Piece[] {
    if (this.#isOpen) return []
    this.#isOpen = true
    return [{ type: 'message_start', message: { id: `msg_${seq}`, type: 'message', role: 'assistant', model: this.#model, content: [], stop_reason: null, stop_sequence: null, usage: usageOf(NONE) } }]
  }

  #chunk(chunk: StreamChunk): Piece[] {
    switch (chunk.type) {
      case 'block-start':
        // A call's name comes with its first piece.
        return chunk.blockType === 'tool-call' ? [] : this.#start(chunk.index, emptyBlock(chunk.blockType))
      case 'text-delta':
        return this.#delta(chunk.index, 'text', { type: 'text_delta', text: chunk.text })
      case 'reasoning-delta':
        return this.#delta(chunk.index, 'reasoning', { type: 'thinking_delta', thinking: chunk.text })
      case 'tool-call-delta':
        return [...this.#start(chunk.index, { type: 'tool_use', id: chunk.id, name: chunk.name ?? '', input: {} }), delta(chunk.index, { type: 'input_json_delta', partial_json: chunk.argumentsDelta })]
      case 'block-end':
        return this.#end(chunk)
      case 'usage':
        this.#usage = chunk.usage
        return []
      case 'finish':
        return this.#finish(chunk)
    }
  }

  #start(index: number, block: object | undefined): Piece[] {
    if (block === undefined || this.#started.has(index)) return []
    this.#started.add(index)
    return [{ type: 'content_block_start', index, content_block: block }]
  }

  #delta(index: number, type: ContentBlock['type'], piece: object): Piece[] {
    return [...this.#start(index, emptyBlock(type)), delta(index, piece)]
  }

  #end({ index, block }: Chunk<'block-end'>): Piece[] {
    const late = this.#started.has(index) || block.type !== 'tool-call' ? [] : [...this.#start(index, { type: 'tool_use', id: block.id, name: block.name, input: {} }), delta(index, { type: 'input_json_delta', partial_json: block.arguments })]
    return this.#started.has(index) ? [...late, { type: 'content_block_stop', index }] : []
  }

  #finish({ reason }: Chunk<'finish'>): Piece[] {
    const { inputTokens: input = 0, outputTokens: output = 0, cacheReadTokens: cacheRead = 0, cacheWriteTokens: cacheWrite = 0 } = this.#usage ?? {}
    return [
      { type: 'message_delta', delta: { stop_reason: stopReasonOf(reason.kind), stop_sequence: null }, usage: usageOf({ input, output, cacheRead, cacheWrite }) },
      { type: 'message_stop' },
    ]
  }
}

function emptyBlock(type: ContentBlock['type']): object | undefined {
  if (type === 'text') return { type: 'text', text: '' }
  return type === 'reasoning' ? { type: 'thinking', thinking: '', signature: '' } : undefined
}

function delta(index: number, piece: object): Piece {
  return { type: 'content_block_delta', index, delta: piece }
}
