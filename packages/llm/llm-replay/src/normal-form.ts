/** What of an event counts when logs are compared: not its time, its place, or labels derived from the rest. Pure. */

import { BlockAssembler, type StreamChunk } from '@deepseek-ai/dsh-llm'
import type { SessionEvent } from '@deepseek-ai/dsh-session'

/** One entry of a log in normal form: an event, or a run of chunks as what they assemble to. */
export interface NormalEvent {
  type: string
  /** The number of its first event in the log. */
  seq: number
  data: unknown
}

/** Inputs are named by the order of their arrival, and events that others point to by their place in the normal form. */
export function normalForm(events: readonly SessionEvent[]): NormalEvent[] {
  const normal: NormalEvent[] = []
  const names: Names = { inputs: new Map(), places: new Map() }
  for (let i = 0; i < events.length; i++) {
    const event = events[i]
    if (!event) continue
    names.places.set(event.seq, normal.length)
    if (event.type !== 'assistant/chunk') {
      normal.push({ type: event.type, seq: event.seq, data: normalData(event, names) })
      continue
    }
    const chunks: StreamChunk[] = []
    for (let next: SessionEvent | undefined = event; next?.type === 'assistant/chunk'; next = events[++i]) chunks.push(next.data.chunk)
    i--
    normal.push({ type: 'assistant/chunk', seq: event.seq, data: { turn: event.data.turn, step: event.data.step, ...assembled(chunks) } })
  }
  return normal
}

/** Two events of the same number that say the same. */
export function isSameEvent(one: SessionEvent, other: SessionEvent): boolean {
  const names = (): Names => ({ inputs: new Map(), places: new Map() })
  return one.type === other.type && JSON.stringify(sorted(normalData(one, names()))) === JSON.stringify(sorted(normalData(other, names())))
}

/** Plain data with its keys in order. */
export function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, sorted(item)]))
}

interface Names {
  inputs: Map<string, string>
  places: Map<number, number>
}

function normalData(event: SessionEvent, names: Names): unknown {
  const { surfaceOp, sourceEventSeqs } = event
  return {
    ...dataOf(event, names),
    ...(surfaceOp !== undefined && surfaceOp !== 'append' && { replaces: [place(surfaceOp.start, names), place(surfaceOp.end, names)] }),
    ...(sourceEventSeqs && { sources: sourceEventSeqs.map(seq => place(seq, names)) }),
  }
}

function dataOf(event: SessionEvent, { inputs }: Names): object {
  const nameOf = (id: string): string => {
    const known = inputs.get(id) ?? `input ${inputs.size + 1}`
    inputs.set(id, known)
    return known
  }
  switch (event.type) {
    case 'inbox/queued':
      return { ...event.data, id: nameOf(event.data.id) }
    case 'inbox/claimed':
    case 'inbox/dropped':
      return { ...event.data, ids: event.data.ids.map(nameOf) }
    case 'assistant/message': {
      // Prices change, and a replay knows none.
      const { cost: _, ...rest } = event.data
      return rest
    }
    case 'request/header': {
      const { hash: _, ...rest } = event.data
      return rest
    }
    case 'llm/attempt': {
      const { retryInMs, ...rest } = event.data
      return { ...rest, willRetry: retryInMs !== undefined }
    }
    default:
      return event.data
  }
}

/** The number itself where it is not known: that the two differ then is right. */
function place(seq: number, { places }: Names): number {
  return places.get(seq) ?? seq
}

function assembled(chunks: readonly StreamChunk[]): object {
  const assembler = new BlockAssembler()
  for (const chunk of chunks) assembler.push(chunk)
  return { content: assembler.blocks(), ...(assembler.usage && { usage: assembler.usage }), ...(assembler.finished && { finish: assembler.finish }) }
}
