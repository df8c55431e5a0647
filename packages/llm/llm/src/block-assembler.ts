/** Assembles streamed chunks into blocks. Pure: no log, no clock. */

import type { ContentBlock, FinishReason, Message, StreamChunk, TokenUsage } from './types.ts'

/** A block that is still being streamed; deltas are joined once, when the block is asked for. */
interface Partial {
  type: string
  pieces: string[]
  id?: string
  name?: string
  block?: ContentBlock
}

/**
 * Feed it every chunk of one answer, then read `blocks()`.
 *
 * Tolerates streams of deltas alone: a delta opens a partial block of its own
 * type. The first `block-end` of an index freezes it; what comes later for that
 * index is ignored. The last `usage` and the last `finish` win.
 */
export class BlockAssembler {
  usage: TokenUsage | undefined
  private reason: FinishReason | undefined
  private readonly partials = new Map<number, Partial>()

  /** Returns the completed block on `block-end`, else undefined. */
  push(chunk: StreamChunk): ContentBlock | undefined {
    switch (chunk.type) {
      case 'block-start':
        this.open(chunk.index, chunk.blockType)
        return undefined
      case 'text-delta':
        this.add(chunk.index, 'text', chunk.text)
        return undefined
      case 'reasoning-delta':
        this.add(chunk.index, 'reasoning', chunk.text)
        return undefined
      case 'tool-call-delta':
        this.addCall(chunk)
        return undefined
      case 'block-end':
        return this.close(chunk.index, chunk.block)
      case 'usage':
        this.usage = chunk.usage
        return undefined
      case 'finish':
        this.reason = chunk.reason
        return undefined
    }
  }

  /** Whether the stream said how it ended. */
  get finished(): boolean {
    return this.reason !== undefined
  }

  /** `stop` until the stream says otherwise. */
  get finish(): FinishReason {
    return this.reason ?? { kind: 'stop' }
  }

  /** Every block so far in order of first sight; unfinished ones as far as they have come, empty ones left out. */
  blocks(): ContentBlock[] {
    return [...this.partials].map(([index, partial]) => partial.block ?? assemble(index, partial)).filter(isVisible)
  }

  message(): Message {
    return { role: 'assistant', content: this.blocks() }
  }

  private open(index: number, type: string): Partial {
    const known = this.partials.get(index)
    if (known) return known
    const partial: Partial = { type, pieces: [] }
    this.partials.set(index, partial)
    return partial
  }

  private add(index: number, type: string, text: string): void {
    const partial = this.open(index, type)
    if (!partial.block) partial.pieces.push(text)
  }

  private addCall(chunk: Extract<StreamChunk, { type: 'tool-call-delta' }>): void {
    const partial = this.open(chunk.index, 'tool-call')
    if (partial.block) return
    partial.pieces.push(chunk.argumentsDelta)
    if (chunk.id !== '') partial.id ??= chunk.id
    if (chunk.name !== undefined && chunk.name !== '') partial.name ??= chunk.name
  }

  private close(index: number, block: ContentBlock): ContentBlock {
    const partial = this.open(index, block.type)
    partial.block ??= block
    return partial.block
  }
}

function assemble(index: number, { type, pieces, id, name }: Partial): ContentBlock {
  const text = pieces.join('')
  if (type === 'text') return { type, text }
  if (type === 'reasoning') return { type, text }
  if (type === 'tool-call') return { type, id: id ?? `call-${index}`, name: name ?? '', arguments: text }
  throw new TypeError(`cannot assemble an unfinished block of type ${type}`)
}

function isVisible(block: ContentBlock): boolean {
  return (block.type !== 'text' && block.type !== 'reasoning') || block.text !== ''
}
