/**
 * A run of streamed chunks while it grows, as values of which each is written
 * once. Only when it has come to an end is its frame worth a packed record.
 *
 *     {"type":"assistant/chunk","seq":7,"time":1700000000000,
 *      "data":{"turn":1,"step":1,"chunk":{"type":"text-delta","index":0}}}
 *     [7,2,"Hello","32","0k"]
 *     [9,1," you","4","k"]
 *
 * First what all deltas have in common, then a piece for each time that some
 * came: the number of the first, how many, and `text`, `cuts` and `gaps` as in
 * `pack-chunks.ts`; the first gap counts from the event before. Strung together,
 * the pieces are the fields of the packed run. Pure.
 */

import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { encodeNumbers } from './compact-numbers.ts'
import { faultOf } from './event-prefix.ts'
import { packRun, type PackedChunks } from './pack-chunks.ts'
import { unpackChunks } from './packed-run.ts'

export type RunFrame = Pick<PackedChunks, 'type' | 'seq' | 'time' | 'data'>
export type RunPiece = [seq: number, n: number, text: string, cuts: string, gaps: string]

/** What is to be written for `events`, which are one run and come behind `last` of the same one; without it they begin one. */
export function growRun(events: readonly SessionEvent[], last?: SessionEvent): (RunFrame | RunPiece)[] {
  const { n, text, cuts, gaps = encodeNumbers(events.map(() => 0)), ...frame } = packRun(events as SessionEvent<'assistant/chunk'>[], last?.time)
  const piece: RunPiece = [frame.seq, n, text, cuts, gaps]
  return last ? [piece] : [frame, piece]
}

/** Reads the values of one run in their order. */
export class RunReader {
  private frame: RunFrame | undefined
  private next = 0
  private time = 0

  /** The events that `value` brings, none for the frame; undefined when it is no value of this run, or not the one that comes next. */
  take(value: unknown): readonly SessionEvent[] | undefined {
    if (this.frame) return this.grow(this.frame, value)
    if (!isFrame(value)) return undefined
    this.frame = value
    this.next = value.seq
    this.time = value.time
    return []
  }

  private grow({ data }: RunFrame, piece: unknown): readonly SessionEvent[] | undefined {
    if (!Array.isArray(piece)) return undefined
    const [seq, n, text, cuts, gaps] = piece as RunPiece
    const events = unpackChunks({ type: 'assistant/chunk', seq, time: this.time, n, data, text, cuts, gaps })
    if (!events || events.some((event, index) => faultOf(event, this.next + index) !== undefined)) return undefined
    this.next += events.length
    this.time = events.at(-1)?.time ?? this.time
    return events
  }
}

function isFrame(value: unknown): value is RunFrame {
  const { type, seq, time, data } = (value ?? {}) as Partial<RunFrame>
  return type === 'assistant/chunk' && typeof seq === 'number' && typeof time === 'number' && typeof data === 'object'
}
