/**
 * The events of one log in their order, of which the streamed chunks are only
 * built when somebody looks: they are nine of ten events of a stored log, and
 * hardly anything that goes on with a session wants to know of them.
 */

import { SessionError } from './errors.ts'
import type { SessionEvent } from './types.ts'

type ChunkEvent = SessionEvent<'assistant/chunk'>

/** Streamed chunks in a row that are kept in a shorter form. Nothing that is folded from a log depends on them. */
export abstract class ChunkRun {
  /** The number of the first. */
  abstract readonly seq: number
  /** How many there are; at least one. */
  abstract readonly length: number
  /** The time of the latest. */
  abstract readonly latest: number

  /** The events, frozen; the same ones each time. */
  abstract unpack(): readonly ChunkEvent[]
}

export class EventLog {
  private settledEvents: SessionEvent[] = []
  private chunks: (ChunkEvent | ChunkRun)[] = []
  private all: SessionEvent[] | undefined
  private next = 0

  /** How many events there are, which is the number of the next one. */
  get length(): number {
    return this.next
  }

  /** Everything but the chunks; grows in place. */
  get settled(): readonly SessionEvent[] {
    return this.settledEvents
  }

  /** The rest of it, in order. */
  get streamed(): readonly (ChunkEvent | ChunkRun)[] {
    return this.chunks
  }

  /** Every event, built on the first call; grows in place from then on. */
  get events(): readonly SessionEvent[] {
    return (this.all ??= merge(this.settledEvents, this.chunks))
  }

  /** Adds at the end. Throws `INVALID_EVENT` when that is not where its number belongs. */
  push(piece: SessionEvent | ChunkRun): void {
    if (piece.seq !== this.next) throw new SessionError('INVALID_EVENT', `event ${this.next} carries the number ${piece.seq}`)
    if (piece instanceof ChunkRun) {
      this.next += piece.length
      this.chunks.push(piece)
      this.all?.push(...piece.unpack())
      return
    }
    this.next++
    if (piece.type === 'assistant/chunk') this.chunks.push(piece)
    else this.settledEvents.push(piece)
    this.all?.push(piece)
  }

  /** Another log that begins with the same events. Runs stay runs, and are unpacked once for both. */
  fork(): EventLog {
    const log = new EventLog()
    log.settledEvents = this.settledEvents.slice()
    log.chunks = this.chunks.slice()
    log.next = this.next
    return log
  }

  /** The events from number `seq` on, at most `count`. Costs what stands behind `seq`, however long the log is. */
  from(seq: number, count = Infinity): SessionEvent[] {
    const from = Math.max(0, seq)
    if (this.all) return this.all.slice(from, from + count)
    let first = this.chunks.length
    while (first > 0 && endOf(this.chunks[first - 1]) > from) first--
    const tail = merge(this.settledEvents.slice(this.settledBefore(from)), this.chunks.slice(first))
    const start = from - (tail[0]?.seq ?? from)
    return tail.slice(start, start + count)
  }

  /** How many of the settled events come before number `seq`. */
  settledBefore(seq: number): number {
    let [low, high] = [0, this.settledEvents.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.settledEvents[middle]?.seq ?? Infinity) < seq) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** By their numbers, which no two of them share. */
function merge(settled: readonly SessionEvent[], chunks: readonly (ChunkEvent | ChunkRun)[]): SessionEvent[] {
  const events: SessionEvent[] = []
  let at = 0
  for (const chunk of chunks) {
    for (let event = settled[at]; event && event.seq < chunk.seq; event = settled[++at]) events.push(event)
    if (chunk instanceof ChunkRun) for (const event of chunk.unpack()) events.push(event)
    else events.push(chunk)
  }
  for (; at < settled.length; at++) events.push(settled[at] as SessionEvent)
  return events
}

/** The number behind it. */
function endOf(piece: ChunkEvent | ChunkRun | undefined): number {
  if (piece === undefined) return 0
  return piece.seq + (piece instanceof ChunkRun ? piece.length : 1)
}
