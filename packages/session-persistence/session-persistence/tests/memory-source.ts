/** Sessions in memory, with failures on demand: where a coordinator under test gets its writers. */

import type { Session, SessionEvent, SessionHeader, SessionId } from '@deepseek-ai/dsh-session'
import { PersistenceError, SummaryFold, type OpenedSession, type SessionWriter, type WriterSource } from '../src/index.ts'

export class MemorySource implements WriterSource {
  readonly stored = new Map<SessionId, { header: SessionHeader; events: SessionEvent[] }>()
  /** What was asked of it, in order: `append one 0-2`, `sync one`, … */
  readonly asked: string[] = []
  /** Thrown by every append, and by creating or opening when `failsToOpen`. */
  fault: Error | undefined
  failsToOpen = false
  /** Appends wait for it. */
  gate: Promise<void> = Promise.resolve()
  /** Syncs wait for it. */
  disk: Promise<void> = Promise.resolve()

  async create({ header }: Pick<Session, 'header'>): Promise<SessionWriter> {
    this.asked.push(`create ${header.id}`)
    this.maybeFail()
    return this.writer(header)
  }

  async open(id: SessionId): Promise<OpenedSession> {
    this.asked.push(`open ${id}`)
    this.maybeFail()
    const found = this.stored.get(id)
    if (!found) throw new PersistenceError('SESSION_NOT_FOUND', `there is no session ${id}`)
    const summary = new SummaryFold(found.header).summary(0)
    return { writer: this.writer(found.header), stored: { ...found, events: [...found.events], damage: [], summary } }
  }

  /** The numbers of the events that are stored. */
  seqs(id: SessionId): number[] {
    return this.stored.get(id)?.events.map(({ seq }) => seq) ?? []
  }

  private maybeFail(): void {
    if (this.failsToOpen && this.fault) throw this.fault
  }

  private writer(header: SessionHeader): SessionWriter {
    const { id } = header
    const eventsOf = (): SessionEvent[] => this.stored.get(id)?.events ?? []
    return {
      id,
      get next() {
        return eventsOf().length
      },
      append: async events => {
        await this.gate
        this.asked.push(`append ${id} ${events[0]?.seq}-${events.at(-1)?.seq}`)
        if (this.fault) throw this.fault
        if (events[0]?.seq !== eventsOf().length) throw new PersistenceError('SESSION_CHANGED', 'not the next event')
        this.stored.set(id, { header, events: [...eventsOf(), ...events] })
      },
      sync: async () => {
        this.asked.push(`sync ${id}`)
        await this.disk
      },
      close: async () => void this.asked.push(`close ${id}`),
    }
  }
}
