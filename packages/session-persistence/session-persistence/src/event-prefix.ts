/** Takes stored records one after the other and keeps the longest valid prefix of events, with what is wrong with the rest. Pure. */

import { isDeepStrictEqual } from 'node:util'
import { freezeParsed } from '@deepseek-ai/dsh-json'
import { EventLog, misshapenField, type SessionEvent } from '@deepseek-ai/dsh-session'
import { BlockEcho } from './block-echo.ts'
import { isPacked, type PackedChunks } from './pack-chunks.ts'
import { PackedRun, unpackChunks } from './packed-run.ts'
import type { Damage } from './types.ts'

/**
 * A record that repeats an earlier one to the letter counts once. The first
 * that is unreadable, of another shape, or out of order ends the prefix.
 */
export class EventPrefix {
  /** What can be used, contiguous from 0, as it was appended; frozen, so that a session can take it in as it is. */
  readonly log = new EventLog()
  private readonly unit: 'line' | 'row'
  private readonly echo = new BlockEcho()
  private readonly repetitions: Damage[] = []
  /** The last event as it is stored; undefined when it stands in a run. */
  private last: unknown
  private hole: { message: string; seq: number } | undefined
  private left = 0

  /** `unit` is what a record is called in messages. */
  constructor(unit: 'line' | 'row') {
    this.unit = unit
  }

  /**
   * Takes the record that stands at `number`: an event or a packed run as it was
   * parsed, `undefined` when it could not be. False when it cannot be used,
   * which is so for all that follow the first such one.
   */
  add(value: unknown, number: number): boolean {
    if (!isPacked(value)) return this.addOne(value, number)
    if (this.hole === undefined && this.addRun(value)) return true
    for (const each of unpackChunks(value) ?? [undefined]) this.addOne(each, number)
    return this.hole === undefined
  }

  /** What was wrong so far, in the order of the records. */
  damage(): Damage[] {
    if (!this.hole) return [...this.repetitions]
    const { message, seq } = this.hole
    return [...this.repetitions, { kind: 'hole', message: `${message}${this.left > 0 ? `; the ${this.left} records after it cannot be used` : ''}`, seq }]
  }

  /** Its events are alike, so that looking at one is enough. */
  private addRun(packed: PackedChunks): boolean {
    const run = PackedRun.read(packed)
    if (!run || faultOf(run.likeness, this.log.length) !== undefined) return false
    this.echo.hearRun(packed)
    this.log.push(run)
    this.last = undefined
    return true
  }

  private addOne(value: unknown, number: number): boolean {
    if (this.hole) {
      this.left++
      return false
    }
    const fault = faultOf(value, this.log.length)
    if (fault === undefined) return this.take(value as SessionEvent, number)
    if (this.isRepetition(value)) {
      const { seq } = value as SessionEvent
      this.repetitions.push({ kind: 'duplicate', message: `${this.unit} ${number} repeats event ${seq} and counts once`, seq })
      return true
    }
    return this.end(fault, number)
  }

  private take(stored: SessionEvent, number: number): boolean {
    const event = this.echo.read(stored)
    // Frozen now, while the processor has it at hand.
    if (!freezeParsed(event)) return this.end('is nested too deeply', number)
    this.last = stored
    this.log.push(event)
    return true
  }

  private end(fault: string, number: number): false {
    this.hole = { message: `${this.unit} ${number} ${fault}`, seq: this.log.length }
    return false
  }

  private isRepetition(value: unknown): boolean {
    const seq = (value as { seq?: unknown } | null | undefined)?.seq
    if (typeof seq !== 'number' || !(seq < this.log.length)) return false
    return isDeepStrictEqual(this.log.from(seq, 1)[0], value) || isDeepStrictEqual(this.last, value)
  }
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
