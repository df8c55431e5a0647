/**
 * The end of a streamed block repeats all of its text. Where that is exactly
 * what the deltas before it said, the log keeps a mark in its place:
 *
 *     {"type":"block-end","index":0,"echo":true}
 *
 * Pure; one instance goes along with one log, for writing or for reading.
 */

import { isDeepStrictEqual } from 'node:util'
import type { ContentBlock, StreamChunk } from '@deepseek-ai/dsh-llm'
import { ChunkRun, type EventLog, type SessionEvent } from '@deepseek-ai/dsh-session'
import type { PackedChunks } from './pack-chunks.ts'
import { PackedRun } from './packed-run.ts'

interface Heard {
  type: string
  text: string
  id?: string
  name?: string
}

export class BlockEcho {
  private blocks: Map<number, Heard>

  constructor(blocks: ReadonlyMap<number, Heard> = new Map()) {
    this.blocks = new Map(blocks)
  }

  /** One that has heard what is stored, to go on behind it. */
  static after({ settled, streamed }: EventLog): BlockEcho {
    const echo = new BlockEcho()
    const begin = settled.findLast(startsAnew)?.seq ?? -1
    for (const chunk of streamed.slice(streamed.findLastIndex(({ seq }) => seq < begin) + 1)) {
      if (chunk instanceof PackedRun) echo.hearRun(chunk.packed)
      else for (const event of chunk instanceof ChunkRun ? chunk.unpack() : [chunk]) echo.hear(event)
    }
    return echo
  }

  /** Another one that has heard the same. */
  fork(): BlockEcho {
    return new BlockEcho(new Map([...this.blocks].map(([index, heard]) => [index, { ...heard }])))
  }

  /** The event as it is stored. Call it for every event, in order. */
  write(event: SessionEvent): SessionEvent {
    const chunk = this.hear(event)
    if (chunk?.type !== 'block-end' || !isDeepStrictEqual(this.blockOf(chunk.index), chunk.block)) return event
    return withChunk(event, { type: 'block-end', index: chunk.index, echo: true })
  }

  /** The event as it was appended. Call it for every event, in order. */
  read(event: SessionEvent): SessionEvent {
    const chunk = this.hear(event) as (StreamChunk & { echo?: unknown }) | undefined
    if (chunk?.type !== 'block-end' || chunk.echo !== true) return event
    const block = this.blockOf(chunk.index)
    return block ? withChunk(event, { type: 'block-end', index: chunk.index, block }) : event
  }

  /** Instead of `read` for each event of a run. */
  hearRun({ data: { chunk }, text }: PackedChunks): void {
    this.hearChunk((chunk['type'] === 'tool-call-delta' ? { ...chunk, argumentsDelta: text } : { ...chunk, text }) as StreamChunk)
  }

  private hear(event: SessionEvent): StreamChunk | undefined {
    if (event.type === 'assistant/chunk') return this.hearChunk(event.data.chunk)
    if (this.blocks.size > 0 && startsAnew(event)) this.blocks.clear()
    return undefined
  }

  private hearChunk(chunk: StreamChunk): StreamChunk {
    if (chunk.type === 'text-delta') this.add(chunk.index, 'text', chunk.text)
    else if (chunk.type === 'reasoning-delta') this.add(chunk.index, 'reasoning', chunk.text)
    else if (chunk.type === 'tool-call-delta') {
      const heard = this.add(chunk.index, 'tool-call', chunk.argumentsDelta)
      heard.id ??= chunk.id
      if (chunk.name !== undefined) heard.name ??= chunk.name
    }
    return chunk
  }

  private add(index: number, type: string, text: string): Heard {
    const heard = this.blocks.get(index) ?? { type, text: '' }
    heard.text += text
    this.blocks.set(index, heard)
    return heard
  }

  private blockOf(index: number): ContentBlock | undefined {
    const heard = this.blocks.get(index)
    if (!heard) return undefined
    const { type, text, id = '', name = '' } = heard
    if (type === 'tool-call') return { type, id, name, arguments: text }
    return type === 'text' || type === 'reasoning' ? { type, text } : undefined
  }
}

/** What was heard before it is over. */
function startsAnew({ type }: SessionEvent): boolean {
  return type === 'step/start' || type === 'llm/attempt'
}

function withChunk(event: SessionEvent, chunk: object): SessionEvent {
  return { ...event, data: { ...event.data, chunk } } as SessionEvent
}
