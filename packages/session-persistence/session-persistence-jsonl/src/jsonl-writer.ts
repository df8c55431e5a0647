/** Writes one session: holds its lease, keeps its place in the file, and keeps the summary beside it. */

import type { AppendFile } from '@deepseek-ai/dsh-append-file'
import type { LeaseFile } from '@deepseek-ai/dsh-lease'
import type { SessionEvent, SessionHeader, SessionId } from '@deepseek-ai/dsh-session'
import { BlockEcho, PersistenceError, type SessionWriter, type SummaryFold } from '@deepseek-ai/dsh-session-persistence'
import { asFailure } from './failures.ts'
import { eventLines, headerLine, packedLines } from './lines.ts'
import { writeMeta } from './meta-file.ts'
import type { StreamJournal } from './stream-journal.ts'

/** Where a session is written to. */
export interface Place {
  log: AppendFile
  /** Takes what is too little for a line of the log. */
  journal: StreamJournal
  lease: LeaseFile
  metaPath: string
}

export interface WriterSetup {
  header: SessionHeader
  fold: SummaryFold
  /** Makes the file with the first text in it; called by the first append of a new session. */
  begin(text: string): Promise<Place>
  /** Present when the session was opened and not made. */
  opened?: Place
  /** Has heard what is stored. */
  echo?: BlockEcho
  /** Told when it is over. */
  onClose(): void
}

export class JsonlWriter implements SessionWriter {
  private readonly setup: WriterSetup
  private place: Place | undefined
  private echo: BlockEcho
  private closing: Promise<void> | undefined

  constructor(setup: WriterSetup) {
    this.setup = setup
    this.place = setup.opened
    this.echo = setup.echo ?? new BlockEcho()
  }

  get id(): SessionId {
    return this.setup.header.id
  }

  get next(): number {
    return this.setup.fold.events
  }

  async append(events: readonly SessionEvent[]): Promise<void> {
    const [first] = events
    if (!first) return
    if (this.closing) throw new PersistenceError('SESSION_CHANGED', `the writer of session ${this.id} was closed`)
    if (first.seq !== this.next) throw new PersistenceError('SESSION_CHANGED', `event ${first.seq} cannot be appended to session ${this.id}, where ${this.next} is next`)
    try {
      const echo = this.echo.fork()
      if (this.place) this.write(this.place, events.map(event => echo.write(event)))
      else this.place = await this.setup.begin(headerLine(this.setup.header) + eventLines(events, echo))
      this.echo = echo
    } catch (error) {
      throw asFailure(error, `store the session ${this.id}`)
    }
    for (const event of events) this.setup.fold.advance(event)
    // Between its turns a session is listed without reading it, and so is one whose writer is killed there.
    if (this.place && events.some(({ type }) => type === 'turn/end')) this.saveSummary(this.place)
  }

  async sync(): Promise<void> {
    try {
      this.settle()
      await this.place?.log.sync()
    } catch (error) {
      throw asFailure(error, `make the session ${this.id} durable`)
    }
  }

  close(): Promise<void> {
    return (this.closing ??= this.end())
  }

  /** The lease first: whoever lost it must not write, also when the file is as it was. */
  private write({ lease, log, journal }: Place, events: readonly SessionEvent[]): void {
    lease.assertHeld()
    if (journal.takes(events)) return journal.append(events)
    journal.assertUnchanged()
    log.append(packedLines([...journal.pending, ...events]))
    journal.empty()
  }

  /** Moves what is in flight into the log. */
  private settle(): void {
    if (this.place && this.place.journal.pending.length > 0) this.write(this.place, [])
  }

  private async end(): Promise<void> {
    const { place, setup } = this
    try {
      if (!place) return
      this.settle()
      this.saveSummary(place)
    } catch (error) {
      throw asFailure(error, `store the session ${this.id}`)
    } finally {
      place?.journal.close(place.lease.isHeld())
      place?.log.close()
      place?.lease.release()
      setup.onClose()
    }
  }

  /** A list makes it anew when it is missing, so a full disk is no reason to fail. */
  private saveSummary({ log, metaPath }: Place): void {
    const { header, fold } = this.setup
    try {
      writeMeta(metaPath, { ...log.stamp(), header, fold, damage: [] })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error
    }
  }
}
