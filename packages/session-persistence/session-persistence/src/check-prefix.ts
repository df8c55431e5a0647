/** Finds the longest valid prefix of stored records, and says what is wrong with the rest. Pure. */

import { isDeepStrictEqual } from 'node:util'
import { misshapenField, type SessionEvent } from '@deepseek-ai/dsh-session'
import type { Damage } from './types.ts'

/** One stored record as it was parsed; `undefined` as `value` means that it could not be. */
export interface StoredRecord {
  value: unknown
  /** Where it stands, for messages: `line 12`, `row 40`. Read only when there is something to say. */
  place: string
}

export interface CheckedPrefix {
  /** Contiguous from 0. */
  events: SessionEvent[]
  damage: Damage[]
  /** Index into the records of the first that could not be used; undefined when all could. */
  rest?: number
}

/**
 * A record that repeats the one before it to the letter counts once. The first
 * that is unreadable, of another shape, or out of order ends the prefix.
 */
export function checkPrefix(records: readonly StoredRecord[]): CheckedPrefix {
  const events: SessionEvent[] = []
  const damage: Damage[] = []
  let index = 0
  for (const record of records) {
    const { value } = record
    const at = index++
    const fault = faultOf(value, events.length)
    if (fault === undefined) {
      events.push(value as SessionEvent)
      continue
    }
    if (isRepetition(value, events)) {
      damage.push({ kind: 'duplicate', message: `${record.place} repeats event ${(value as SessionEvent).seq} and counts once`, seq: (value as SessionEvent).seq })
      continue
    }
    const left = records.length - at - 1
    damage.push({ kind: 'hole', message: `${record.place} ${fault}${left > 0 ? `; the ${left} records after it cannot be used` : ''}`, seq: events.length })
    return { events, damage, rest: at }
  }
  return { events, damage }
}

/** Why a record cannot be event `expected`; undefined when it can. */
export function faultOf(value: unknown, expected: number): string | undefined {
  if (value === undefined) return 'cannot be read'
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'is not an event'
  const { type, seq, time, data } = value as Record<string, unknown>
  if (typeof type !== 'string' || typeof time !== 'number' || typeof data !== 'object' || data === null) return 'is not an event'
  if (seq !== expected) return `holds event ${typeof seq === 'number' ? seq : 'without a number'} where ${expected} belongs`
  const field = misshapenField(type, data)
  return field === undefined ? undefined : `is no ${type}: its ${field} is missing or of another kind`
}

function isRepetition(value: unknown, events: readonly SessionEvent[]): boolean {
  const seq = (value as { seq?: unknown } | undefined)?.seq
  return typeof seq === 'number' && seq < events.length && isDeepStrictEqual(events[seq], value)
}
