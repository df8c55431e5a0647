/** The events of one session as they come in, read from its rows once each. */

import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { BlockEcho, faultOf } from '@deepseek-ai/dsh-session-persistence'
import type { Database } from './database.ts'
import { EVENT_COLUMNS, valuesOf, type EventRow } from './rows.ts'

/** Rows of one look, so that no single one takes long. */
const MOST_ROWS = 1000

/** The row that holds the next event may be one that was known already and has grown. */
const ROWS_FROM = `SELECT ${EVENT_COLUMNS} FROM events WHERE session = ?1
  AND seq >= coalesce((SELECT max(seq) FROM events WHERE session = ?1 AND seq <= ?2), 0) ORDER BY seq LIMIT ${MOST_ROWS}`

export class RowTail {
  private readonly session: number
  private readonly echo = new BlockEcho()
  private next = 0

  /** `session` is the key of its row. */
  constructor(session: number) {
    this.session = session
  }

  /** What stands behind the events that were read before, in pieces: empty when there is no more for now, or only what cannot be used. */
  read(database: Database): SessionEvent[] {
    const events: SessionEvent[] = []
    for (const row of database.tuples<EventRow>(ROWS_FROM, this.session, this.next)) {
      for (const value of valuesOf(row)) {
        if (((value as SessionEvent | undefined)?.seq ?? this.next) < this.next) continue
        if (faultOf(value, this.next) !== undefined) return events
        events.push(this.echo.read(value as SessionEvent))
        this.next++
      }
    }
    return events
  }
}
