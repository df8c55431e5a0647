/**
 * `ctx.sessionPersistence`: where sessions are kept. An implementation answers
 * the abstract methods; writing goes through a `SessionWriter`, which holds the
 * session's lease, and through the coordinator, which feeds it from the log.
 */

import { Service, type Context } from 'cordis'
import type { SessionEvent, SessionHeader, SessionId } from '@deepseek-ai/dsh-session'
import { WriteCoordinator, type CoordinatorOptions } from './write-coordinator.ts'
import type { Damage, ListOptions, RepairReport, SearchHit, SessionSummary, StoredSession } from './types.ts'

declare module 'cordis' {
  interface Context {
    sessionPersistence: SessionPersistence
  }
}

/**
 * The right to write to one session, exclusive in this process and among all.
 * Its owner makes appends one after the other, and syncs likewise, but appends
 * while a sync waits; it closes when both have come to an end.
 */
export interface SessionWriter {
  readonly id: SessionId
  /** The number of the next event: how many are stored. */
  readonly next: number
  /**
   * Hands the events to the operating system, all or none; `events[0].seq` must
   * be `next`. The first append of a new session creates it. Throws
   * `SESSION_CHANGED`, `STORE_FULL` or `STORE_FAILED`, and the store is then as
   * it was before.
   */
  append(events: readonly SessionEvent[]): Promise<void>
  /** Resolves when everything appended would survive a power loss. */
  sync(): Promise<void>
  /** Gives the lease back. Repeated calls share one promise. */
  close(): Promise<void>
}

/** A session that was opened for writing, with what is stored of it. */
export interface OpenedSession {
  writer: SessionWriter
  stored: StoredSession
}

/** Subclass it, mount the subclass, and it is `ctx.sessionPersistence`. Must pass `tests/contract.ts`. */
export abstract class SessionPersistence extends Service {
  static readonly provide = 'sessionPersistence'
  static readonly inject: string[] = ['sessions']

  private readonly coordinator: WriteCoordinator

  /** Every live session is stored from here on. */
  constructor(ctx: Context, options: CoordinatorOptions = {}) {
    super(ctx, 'sessionPersistence')
    this.coordinator = new WriteCoordinator(ctx, { create: (session, signal) => this.create(session.header, signal), open: (id, signal) => this.open(id, signal) }, options)
  }

  /** Makes `writer` the one of the session of its id, which is created next. */
  adopt(writer: SessionWriter): void {
    this.coordinator.adopt(writer)
  }

  /** Takes an adopted writer back that no session came for. */
  disown(id: SessionId): SessionWriter | undefined {
    return this.coordinator.disown(id)
  }

  /** The session of that id, which is created next, is not stored. */
  skip(id: SessionId): void {
    this.coordinator.skip(id)
  }

  /** Whether the session of that id is stored, as far as is known: one whose first write failed is not. */
  stores(id: SessionId): boolean {
    return this.coordinator.stores(id)
  }

  /** Resolves when a session that was closed in this process has been written and its lease given back. */
  async settled(id: SessionId): Promise<void> {
    await this.coordinator.settled(id)
  }

  /** For implementations: resolves when every writer is closed, so that what they write to may be closed too. */
  protected async drained(): Promise<void> {
    await this.coordinator.end()
  }

  /** Lets the store go through keeping a session that is none and leaves no trace, so that the first one takes no longer than the others. */
  async rehearse(signal: AbortSignal): Promise<void> {
    // A store that is as fast the first time has nothing to do.
    signal.throwIfAborted()
  }

  /** A writer for a new session. Nothing is stored before its first append, so an empty session leaves no trace. Throws `SESSION_EXISTS`. */
  abstract create(header: SessionHeader, signal: AbortSignal): Promise<SessionWriter>

  /**
   * Takes the lease, loads, puts aside what is damaged, and stands ready to
   * append after the valid prefix. Throws `SESSION_IN_USE` with the holder; a
   * holder that is dead is succeeded.
   */
  abstract open(id: SessionId, signal: AbortSignal): Promise<OpenedSession>

  /** Reads without a lease and without writing anything, also while somebody writes. */
  abstract load(id: SessionId, signal: AbortSignal): Promise<StoredSession>

  /** The latest first. One bad session never hides the others. */
  abstract list(options: ListOptions, signal: AbortSignal): Promise<SessionSummary[]>

  /** What a list shows of one session, found by its id alone. Throws `SESSION_NOT_FOUND`. */
  abstract summary(id: SessionId, signal: AbortSignal): Promise<SessionSummary>

  /** Events `from` to `to`, inclusive; fewer when there are fewer. What follows them is not looked at. */
  abstract readRange(id: SessionId, range: { from: number; to?: number }, signal: AbortSignal): Promise<SessionEvent[]>

  /** Events from `from` on, and then those that are yet to be written, by whatever process; ends with the signal, without an error. */
  abstract follow(id: SessionId, options: { from: number }, signal: AbortSignal): AsyncIterable<SessionEvent>

  /** Removes everything stored of it. Throws `SESSION_NOT_FOUND`, `SESSION_IN_USE`. */
  abstract delete(id: SessionId, signal: AbortSignal): Promise<void>

  /** Sessions whose messages contain all words of `query`, the latest first. */
  abstract search(query: string, options: ListOptions, signal: AbortSignal): Promise<SearchHit[]>

  /** Puts aside what cannot be used, so that the session is sound; a no-op on a sound one. */
  abstract repair(id: SessionId, signal: AbortSignal): Promise<RepairReport>

  /** Checks what all sessions are kept in, and saves what can be read of it when it is damaged; what it found, and nothing when all is well. Sessions themselves are for `repair`. */
  abstract repairStore(signal: AbortSignal): Promise<Damage[]>

  /** The session that `prefix` names, whole or by its first characters. Throws `SESSION_NOT_FOUND` or `SESSION_AMBIGUOUS`. */
  abstract find(prefix: string, signal: AbortSignal): Promise<SessionId>
}
