/** Events as rows, and rows as events. Pure. */

import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { BlockEcho, faultOf, isPacked, packChunks, unpackChunks, type StoredRecord } from '@deepseek-ai/dsh-session-persistence'

export interface EventRow {
  seq: number
  n: number
  type: string
  time: number
  data: string
  source_event_seqs: string | null
  surface_op: string | null
}

/** `echo` goes along with the log; hand in a fork of it and keep that when the rows are written. */
export function toRows(events: readonly SessionEvent[], echo: BlockEcho): EventRow[] {
  return packChunks(events.map(event => echo.write(event))).map(record => {
    const { seq, type, time } = record
    if (isPacked(record)) return { seq, n: record.n, type, time, data: JSON.stringify(record), source_event_seqs: null, surface_op: null }
    const { data, sourceEventSeqs, surfaceOp } = record
    return {
      seq,
      n: 1,
      type,
      time,
      data: JSON.stringify(data),
      source_event_seqs: sourceEventSeqs === undefined ? null : JSON.stringify(sourceEventSeqs),
      surface_op: surfaceOp === undefined ? null : JSON.stringify(surfaceOp),
    }
  })
}

/** What the rows of one session hold, in their order. */
export function toRecords(rows: readonly EventRow[]): StoredRecord[] {
  const echo = new BlockEcho()
  const records: StoredRecord[] = []
  for (const row of rows) {
    for (const value of valuesOf(row)) {
      const isNext = faultOf(value, records.length) === undefined
      records.push({ value: isNext ? echo.read(value as SessionEvent) : value, place: `row ${row.seq}` })
    }
  }
  return records
}

function valuesOf({ seq, n, type, time, data, source_event_seqs: sources, surface_op: op }: EventRow): unknown[] {
  const parsed = parse(data)
  if (n !== 1) return (isPacked(parsed) && parsed.seq === seq && parsed.n === n && unpackChunks(parsed)) || [undefined]
  const [sourceEventSeqs, surfaceOp] = [sources, op].map(text => (text === null ? null : parse(text)))
  if (parsed === undefined || sourceEventSeqs === undefined || surfaceOp === undefined) return [undefined]
  return [{ type, seq, time, data: parsed, ...(surfaceOp !== null && { surfaceOp }), ...(sourceEventSeqs !== null && { sourceEventSeqs }) }]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
