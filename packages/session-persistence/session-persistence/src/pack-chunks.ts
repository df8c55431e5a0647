/**
 * Packs runs of streamed chunks, which would otherwise take up ten times the
 * text that they carry, and unpacks them to exactly the events they were.
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

import { freezeParsed } from '@deepseek-ai/dsh-json'
import type { StreamChunk } from '@deepseek-ai/dsh-llm'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { decodeNumbers, encodeNumbers } from './compact-numbers.ts'

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
const LONGEST_RUN = 1_000_000

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

/** The events, frozen, at the end of `into`, all of them; undefined, and `into` as it was, when the line is not what `packChunks` makes. */
export function unpackChunks({ seq, time, n, data, text, cuts, gaps }: PackedChunks, into: SessionEvent[] = []): SessionEvent[] | undefined {
  const { turn, step, chunk } = data ?? {}
  if (typeof text !== 'string' || typeof cuts !== 'string' || typeof seq !== 'number' || typeof time !== 'number' || !(n <= LONGEST_RUN) || typeof chunk !== 'object' || chunk === null) return undefined
  const lengths = decodeNumbers(cuts, n)
  const offsets = gaps === undefined ? undefined : decodeNumbers(gaps, n)
  if (lengths?.length !== n || offsets?.length !== (gaps === undefined ? undefined : n)) return undefined
  if (lengths.reduce((sum, length) => sum + length, 0) !== text.length) return undefined
  const chunkOf = chunkMaker(chunk)
  let at = 0
  let now = time
  for (let i = 0; i < n; i++) {
    const end = at + (lengths[i] ?? 0)
    now += offsets?.[i] ?? 0
    into.push(Object.freeze({ type: 'assistant/chunk', seq: seq + i, time: now, data: Object.freeze({ turn, step, chunk: chunkOf(text.slice(at, end)) }) }))
    at = end
  }
  return into
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
