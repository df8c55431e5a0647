/** Events as rows, and rows as events. Pure. */

import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { isPacked, packChunks, unpackChunks } from '@deepseek-ai/dsh-session-persistence'

/** In the order of `EVENT_COLUMNS`. */
export type EventRow = [seq: number, n: number, type: string, time: number, data: string, sources: string | null, op: string | null]

export const EVENT_COLUMNS = 'seq, n, type, time, data, source_event_seqs, surface_op'

/** Most events have this one; it need not be parsed each time. */
const APPEND = '"append"'

/** `events` as they are stored (see `BlockEcho`), runs of chunks packed. */
export function toRows(events: readonly SessionEvent[]): EventRow[] {
  return packChunks(events).map(record => {
    const { seq, type, time } = record
    if (isPacked(record)) return [seq, record.n, type, time, JSON.stringify(record), null, null]
    const { data, sourceEventSeqs, surfaceOp } = record
    const sources = sourceEventSeqs === undefined ? null : JSON.stringify(sourceEventSeqs)
    return [seq, 1, type, time, JSON.stringify(data), sources, surfaceOp === undefined ? null : JSON.stringify(surfaceOp)]
  })
}

/** What one row holds: an event or a packed run as it is stored; `undefined` for what cannot be read. */
export function recordOf([seq, n, type, time, data, sources, op]: EventRow): unknown {
  const parsed = parse(data)
  if (n !== 1) return isPacked(parsed) && parsed.seq === seq && parsed.n === n ? parsed : undefined
  if (parsed === undefined) return undefined
  // Nearly all rows are of these two forms.
  if (sources === null && op === null) return { type, seq, time, data: parsed }
  if (sources === null && op === APPEND) return { type, seq, time, data: parsed, surfaceOp: 'append' }
  const sourceEventSeqs = sources === null ? null : parse(sources)
  const surfaceOp = op === null ? null : parse(op)
  if (sourceEventSeqs === undefined || surfaceOp === undefined) return undefined
  return { type, seq, time, data: parsed, ...(surfaceOp !== null && { surfaceOp }), ...(sourceEventSeqs !== null && { sourceEventSeqs }) }
}

/** The events of one row as they are stored; `undefined` in place of what cannot be read. */
export function valuesOf(row: EventRow): readonly unknown[] {
  const record = recordOf(row)
  return isPacked(record) ? (unpackChunks(record) ?? [undefined]) : [record]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
