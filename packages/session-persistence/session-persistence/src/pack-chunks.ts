/**
 * Packs runs of streamed chunks, which would otherwise take up ten times the
 * text that they carry; `packed-run.ts` unpacks them to exactly the events they were.
 *
 *     {"type":"assistant/chunk","seq":7,"time":1700000000000,"n":3,
 *      "data":{"turn":1,"step":1,"chunk":{"type":"text-delta","index":0}},
 *      "text":"Hello you","cuts":"324","gaps":"011"}
 *
 * `n` events from `seq` on, alike but for the text of the delta and the time.
 * `text` is all of it; `cuts` says how many UTF-16 units each event has, `gaps`
 * how many milliseconds after the one before it came (left out where all are
 * 0), both as in `compact-numbers.ts`. Text and reasoning deltas carry the text
 * as `text`, those of a tool call as `argumentsDelta`. Pure.
 */

import type { StreamChunk } from '@deepseek-ai/dsh-llm'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { encodeNumbers } from './compact-numbers.ts'

type ChunkEvent = SessionEvent<'assistant/chunk'>

export interface PackedChunks {
  type: 'assistant/chunk'
  seq: number
  time: number
  n: number
  data: { turn: number; step: number; chunk: Record<string, unknown> }
  text: string
  cuts: string
  gaps?: string
}

/** A shorter run is not worth the second form. */
const SHORTEST_RUN = 2

/** What claims to hold more was not written here, and would fill memory before it shows to be wrong. */
export const LONGEST_RUN = 1_000_000

/** Events and packed runs in the order of the events. */
export function packChunks(events: readonly SessionEvent[]): (SessionEvent | PackedChunks)[] {
  const packed: (SessionEvent | PackedChunks)[] = []
  for (let i = 0; i < events.length; ) {
    const first = events[i]
    if (!first) break
    const end = endOfRun(events, i)
    if (first.type === 'assistant/chunk' && end - i >= SHORTEST_RUN) packed.push(packRun(events.slice(i, end) as ChunkEvent[]))
    else packed.push(...events.slice(i, end))
    i = end
  }
  return packed
}

/** Whether the events are deltas that one record can hold. */
export function isRun(events: readonly SessionEvent[]): boolean {
  const [first] = events
  return first?.type === 'assistant/chunk' && deltaOf(first.data.chunk) !== undefined && endOfRun(events, 0) === events.length
}

export function isPacked(value: unknown): value is PackedChunks {
  return typeof value === 'object' && value !== null && 'n' in value && (value as { type?: unknown }).type === 'assistant/chunk'
}

/** The index behind the last event that is alike to the one at `start`. */
function endOfRun(events: readonly SessionEvent[], start: number): number {
  const first = events[start]
  let end = start + 1
  if (first?.type !== 'assistant/chunk' || deltaOf(first.data.chunk) === undefined) return end
  while (end < events.length && end - start < LONGEST_RUN && isAlike(first, events[end])) end++
  return end
}

function isAlike(first: ChunkEvent, other: SessionEvent | undefined): boolean {
  if (other?.type !== 'assistant/chunk') return false
  const [a, b] = [first.data.chunk, other.data.chunk]
  if (a.type !== b.type || first.data.turn !== other.data.turn || first.data.step !== other.data.step) return false
  if (!('index' in a && 'index' in b) || a.index !== b.index) return false
  // Only the first delta of a call bears the name; it starts a run of its own.
  return a.type !== 'tool-call-delta' || (b.type === 'tool-call-delta' && a.id === b.id && a.name === b.name)
}

/** One record of a run, however short. `since`: what the first gap counts from; default the time of the record. */
export function packRun(run: readonly ChunkEvent[], since?: number): PackedChunks {
  const [{ seq, time, data }] = run as [ChunkEvent]
  const { text: _, argumentsDelta: __, ...chunk } = data.chunk as Record<string, unknown>
  const deltas = run.map(event => deltaOf(event.data.chunk) ?? '')
  const gaps = run.map((event, index) => event.time - (run[index - 1]?.time ?? since ?? time))
  return {
    type: 'assistant/chunk',
    seq,
    time,
    n: run.length,
    data: { turn: data.turn, step: data.step, chunk },
    text: deltas.join(''),
    cuts: encodeNumbers(deltas.map(delta => delta.length)),
    ...(gaps.some(gap => gap !== 0) && { gaps: encodeNumbers(gaps) }),
  }
}

/** The text that a delta brings; undefined for chunks that are no deltas. */
function deltaOf(chunk: StreamChunk): string | undefined {
  if (chunk.type === 'text-delta' || chunk.type === 'reasoning-delta') return chunk.text
  return chunk.type === 'tool-call-delta' ? chunk.argumentsDelta : undefined
}
