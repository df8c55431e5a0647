/** Reads what `pack-chunks.ts` writes: checks a record at once, and makes its events when somebody asks for them. */

import { freezeParsed } from '@deepseek-ai/dsh-json'
import type { StreamChunk } from '@deepseek-ai/dsh-llm'
import { ChunkRun, type SessionEvent } from '@deepseek-ai/dsh-session'
import { decodeNumbers, totalNumbers } from './compact-numbers.ts'
import { LONGEST_RUN, type PackedChunks } from './pack-chunks.ts'

type ChunkEvent = SessionEvent<'assistant/chunk'>

export class PackedRun extends ChunkRun {
  readonly seq: number
  readonly length: number
  readonly latest: number
  /** As it is stored. */
  readonly packed: PackedChunks
  private made: readonly ChunkEvent[] | undefined

  private constructor(packed: PackedChunks, latest: number) {
    super()
    this.packed = packed
    this.seq = packed.seq
    this.length = packed.n
    this.latest = latest
  }

  /** Undefined when the record is not what `packChunks` makes. */
  static read(packed: PackedChunks): PackedRun | undefined {
    const { seq, time, n, data, text, cuts, gaps } = packed
    const { chunk } = data ?? {}
    if (typeof text !== 'string' || typeof cuts !== 'string' || typeof seq !== 'number' || typeof time !== 'number' || !(n > 0 && n <= LONGEST_RUN) || typeof chunk !== 'object' || chunk === null) return undefined
    const lengths = totalNumbers(cuts, n)
    if (lengths?.count !== n || lengths.sum !== text.length || lengths.least < 0) return undefined
    if (gaps === undefined) return new PackedRun(packed, time)
    const offsets = typeof gaps === 'string' ? totalNumbers(gaps, n) : undefined
    return offsets?.count === n ? new PackedRun(packed, time + offsets.peak) : undefined
  }

  /** Has all that a reader relies on as the first event has it. */
  get likeness(): object {
    const { seq, time, data } = this.packed
    return { type: 'assistant/chunk', seq, time, data: { turn: data.turn, step: data.step, chunk: { ...data.chunk, text: '', argumentsDelta: '' } } }
  }

  unpack(): readonly ChunkEvent[] {
    return (this.made ??= this.make())
  }

  private make(): ChunkEvent[] {
    const { seq, time, n, data, text, cuts, gaps } = this.packed
    const { turn, step } = data
    const lengths = decodeNumbers(cuts, n) ?? []
    const offsets = gaps === undefined ? [] : (decodeNumbers(gaps, n) ?? [])
    const chunkOf = chunkMaker(data.chunk)
    const events: ChunkEvent[] = []
    let at = 0
    let now = time
    for (let i = 0; i < n; i++) {
      const end = at + (lengths[i] ?? 0)
      now += offsets[i] ?? 0
      events.push(Object.freeze({ type: 'assistant/chunk', seq: seq + i, time: now, data: Object.freeze({ turn, step, chunk: chunkOf(text.slice(at, end)) }) }))
      at = end
    }
    return events
  }
}

/** The events of a record, frozen; undefined when it is not what `packChunks` makes. */
export function unpackChunks(packed: PackedChunks): readonly SessionEvent[] | undefined {
  return PackedRun.read(packed)?.unpack()
}

/** Makes the chunks of one run, frozen. Those that are written out come about at a fraction of what copying costs, and a log has most of its events in runs. */
function chunkMaker(chunk: Record<string, unknown>): (text: string) => StreamChunk {
  const { type, index, id, ...others } = chunk as { type: string; index: number; id?: string }
  if (Object.keys(others).length === 0 && index !== undefined) {
    if (type === 'tool-call-delta' && id !== undefined) return argumentsDelta => Object.freeze({ type, index, id, argumentsDelta })
    if ((type === 'text-delta' || type === 'reasoning-delta') && id === undefined) return text => Object.freeze({ type, index, text })
  }
  const key = type === 'tool-call-delta' ? 'argumentsDelta' : 'text'
  return text => {
    const made = { ...chunk, [key]: text }
    freezeParsed(made)
    return made as unknown as StreamChunk
  }
}
