/** Writes one session: every batch is one transaction that also checks that nobody else wrote. */

import type { SessionEvent, SessionHeader, SessionId } from '@deepseek-ai/dsh-session'
import { PersistenceError, type BlockEcho, type SessionWriter, type StoredLease, type SummaryFold } from '@deepseek-ai/dsh-session-persistence'
import type { Database } from './database.ts'
import { asFailure } from './failures.ts'
import { INSERT_WORDS, wordsOf } from './message-index.ts'
import { EVENT_COLUMNS, toRows, type EventRow } from './rows.ts'
import { dropLease, realPath } from './session-row.ts'

export interface WriterSetup {
  /** Opened at the first append: a session without events leaves no trace. */
  database(): Promise<Database>
  header: SessionHeader
  fold: SummaryFold
  lease: StoredLease
  /** There is a row for it already. */
  isStored: boolean
  /** Has heard what is stored. */
  echo: BlockEcho
  onClose(): void
}

/** What one append changes. */
interface Batch {
  events: readonly SessionEvent[]
  rows: EventRow[]
  /** The last row that is stored grows: its events are in the first of `rows`. */
  grows: boolean
  bytes: number
  fold: SummaryFold
}

/** A run of chunks grows in its row up to this size, in UTF-16 units: its page is written anyway. */
const GROWING_ROW = 2000

const INSERT_EVENT = `INSERT INTO events (session, ${EVENT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`

export class SqliteWriter implements SessionWriter {
  private readonly setup: WriterSetup
  private fold: SummaryFold
  private echo: BlockEcho
  private isStored: boolean
  private isDirty = false
  /** The chunks of the last row as they are stored, while it may grow. */
  private tail: SessionEvent[] = []
  private closing: Promise<void> | undefined

  constructor(setup: WriterSetup) {
    this.setup = setup
    this.fold = setup.fold
    this.echo = setup.echo
    this.isStored = setup.isStored
  }

  get id(): SessionId {
    return this.setup.header.id
  }

  get next(): number {
    return this.fold.events
  }

  async append(events: readonly SessionEvent[]): Promise<void> {
    const [first] = events
    if (!first) return
    if (this.closing || first.seq !== this.next) throw new PersistenceError('SESSION_CHANGED', `event ${first.seq} cannot be appended to session ${this.id}, where ${this.closing ? 'the writer is closed' : `${this.next} is next`}`)
    const echo = this.echo.fork()
    const fold = this.fold.fork()
    for (const event of events) fold.advance(event)
    const stored = [...this.tail, ...events.map(event => echo.write(event))]
    const { batch, tail } = this.batchOf(events, stored, fold)
    try {
      const database = await this.setup.database()
      await database.writing(() => this.write(database, batch))
    } catch (error) {
      throw asFailure(error, `store the session ${this.id}`)
    }
    this.echo = echo
    this.fold = fold
    this.tail = tail
    this.isStored = this.isDirty = true
  }

  async sync(): Promise<void> {
    if (!this.isDirty) return
    // What is appended while the disk is waited for needs a sync of its own.
    this.isDirty = false
    try {
      await (await this.setup.database()).sync()
    } catch (error) {
      this.isDirty = true
      throw asFailure(error, `make the session ${this.id} durable`)
    }
  }

  close(): Promise<void> {
    return (this.closing ??= this.end())
  }

  private async end(): Promise<void> {
    const { database: open, lease, onClose } = this.setup
    try {
      if (!this.isStored) return
      const database = await open()
      await database.writing(() => dropLease(database, this.id, lease))
    } catch (error) {
      throw asFailure(error, `give the session ${this.id} back`)
    } finally {
      onClose()
    }
  }

  /** `stored` are the events of the growing row and the new ones, as they are stored. */
  private batchOf(events: readonly SessionEvent[], stored: SessionEvent[], fold: SummaryFold): { batch: Batch; tail: SessionEvent[] } {
    const known = this.tail.length
    const rows = toRows(stored)
    const covered = rows[0]?.[1] ?? 0
    const grows = known > 0 && covered > known
    // The known chunks are no longer alike to what follows: their row stays as it is.
    if (known > 0 && !grows) rows.splice(0, rows.findIndex(([seq]) => seq >= this.next))
    const bytes = rows.reduce((sum, [, , , , data]) => sum + Buffer.byteLength(data), 0) - (grows ? sizeOf(this.tail) : 0)
    const [seq = 0, , type, , data = ''] = rows.at(-1) ?? []
    const tail = type === 'assistant/chunk' && data.length < GROWING_ROW ? stored.slice(seq - (stored[0]?.seq ?? 0)) : []
    return { batch: { events, rows, grows, bytes, fold }, tail }
  }

  private write(database: Database, { events, rows, grows, bytes, fold }: Batch): void {
    const session = this.claim(database)
    const keys = new Map<number, number>()
    for (const [index, [seq, n, type, time, data, sources, op]] of rows.entries()) {
      if (index === 0 && grows) database.run('UPDATE events SET n = ?, data = ? WHERE session = ? AND seq = ?', n, data, session, seq)
      else keys.set(seq, database.run(INSERT_EVENT, session, seq, n, type, time, data, sources, op))
    }
    for (const event of events) {
      const words = wordsOf(event)
      const key = keys.get(event.seq)
      if (words !== undefined && key !== undefined) database.run(INSERT_WORDS, key, words)
    }
    const { lastActivity } = fold.summary(0)
    database.run('UPDATE sessions SET next = ?, bytes = bytes + ?, last_activity = ?, totals = ? WHERE key = ?', fold.events, bytes, lastActivity, JSON.stringify(fold), session)
  }

  /** Makes the session's row, or sees to it that it is as this writer left it; its key. */
  private claim(database: Database): number {
    const { header, lease, fold } = this.setup
    const found = database.get<{ key: number; next: number; lease: string | null }>('SELECT key, next, lease FROM sessions WHERE id = ?', this.id)
    if (!this.isStored) {
      if (found) throw new PersistenceError('SESSION_EXISTS', `there is a session ${this.id} already`)
      const cwd = header.cwd === undefined ? null : realPath(header.cwd)
      return database.run('INSERT INTO sessions (id, header, cwd, next, bytes, last_activity, totals, lease) VALUES (?, ?, ?, 0, 0, ?, ?, ?)', this.id, JSON.stringify(header), cwd, header.createdAt, JSON.stringify(fold), JSON.stringify(lease))
    }
    if (found?.next === this.next && found.lease === JSON.stringify(lease)) return found.key
    throw new PersistenceError('SESSION_CHANGED', `the session ${this.id} is not as it was left: something else wrote to it. Nothing was written; open the session again`)
  }
}

/** What the row of these chunks takes up. */
function sizeOf(chunks: readonly SessionEvent[]): number {
  return toRows(chunks).reduce((sum, [, , , , data]) => sum + Buffer.byteLength(data), 0)
}
