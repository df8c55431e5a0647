/** Writes one session: every batch is one transaction that also checks that nobody else wrote. */

import type { SessionEvent, SessionHeader, SessionId } from '@deepseek-ai/dsh-session'
import { messageText, PersistenceError, type BlockEcho, type SessionWriter, type StoredLease, type SummaryFold } from '@deepseek-ai/dsh-session-persistence'
import type { Database } from './database.ts'
import { asFailure } from './failures.ts'
import { toRows } from './rows.ts'

export interface WriterSetup {
  database: Database
  header: SessionHeader
  fold: SummaryFold
  lease: StoredLease
  /** There is a row for it already. */
  isStored: boolean
  /** Has heard what is stored. */
  echo: BlockEcho
  onClose(): void
}

const INSERT_EVENT = 'INSERT INTO events (session_id, seq, n, type, time, data, source_event_seqs, surface_op) VALUES (?, ?, ?, ?, ?, ?, ?, ?)'

export class SqliteWriter implements SessionWriter {
  private readonly setup: WriterSetup
  private fold: SummaryFold
  private echo: BlockEcho
  private isStored: boolean
  private isDirty = false
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
    try {
      this.setup.database.transaction(() => this.write(events, echo, fold))
    } catch (error) {
      throw asFailure(error, `store the session ${this.id}`)
    }
    this.echo = echo
    this.fold = fold
    this.isStored = this.isDirty = true
  }

  async sync(): Promise<void> {
    if (!this.isDirty) return
    try {
      this.setup.database.sync()
    } catch (error) {
      throw asFailure(error, `make the session ${this.id} durable`)
    }
    this.isDirty = false
  }

  close(): Promise<void> {
    return (this.closing ??= this.end())
  }

  private async end(): Promise<void> {
    const { database, lease, onClose } = this.setup
    try {
      if (this.isStored) database.run('UPDATE sessions SET lease = NULL WHERE id = ? AND lease = ?', this.id, JSON.stringify(lease))
    } finally {
      onClose()
    }
  }

  private write(events: readonly SessionEvent[], echo: BlockEcho, fold: SummaryFold): void {
    const { database } = this.setup
    this.claim()
    const rows = toRows(events, echo)
    for (const { seq, n, type, time, data, source_event_seqs: sources, surface_op: op } of rows) database.run(INSERT_EVENT, this.id, seq, n, type, time, data, sources, op)
    for (const event of events) {
      const text = messageText(event)
      if (text !== undefined && text !== '') database.run('INSERT INTO messages (text, session_id, seq) VALUES (?, ?, ?)', text, this.id, event.seq)
    }
    const bytes = rows.reduce((sum, { data }) => sum + data.length, 0)
    const { lastActivity } = fold.summary(0)
    database.run('UPDATE sessions SET next = ?, bytes = bytes + ?, last_activity = ?, totals = ? WHERE id = ?', fold.events, bytes, lastActivity, JSON.stringify(fold), this.id)
  }

  /** Makes the session's row, or sees to it that it is as this writer left it. */
  private claim(): void {
    const { database, header, lease, fold } = this.setup
    const found = database.get<{ next: number; lease: string | null }>('SELECT next, lease FROM sessions WHERE id = ?', this.id)
    if (!this.isStored) {
      if (found) throw new PersistenceError('SESSION_EXISTS', `there is a session ${this.id} already`)
      database.run('INSERT INTO sessions (id, header, cwd, next, bytes, last_activity, totals, lease) VALUES (?, ?, ?, 0, 0, ?, ?, ?)', this.id, JSON.stringify(header), header.cwd ?? null, header.createdAt, JSON.stringify(fold), JSON.stringify(lease))
    } else if (found?.next !== this.next || found.lease !== JSON.stringify(lease)) {
      throw new PersistenceError('SESSION_CHANGED', `the session ${this.id} is not as it was left: something else wrote to it. Nothing was written; open the session again`)
    }
  }
}
