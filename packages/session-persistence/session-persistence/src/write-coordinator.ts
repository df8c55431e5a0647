/**
 * Feeds stored sessions from their logs: everything is with the operating
 * system 50 ms after it was appended, and durable at every checkpoint.
 *
 * There is no buffer: what is pending is the part of the log behind the
 * writer's cursor. So a store that fails loses nothing, and the next checkpoint
 * tries again.
 */

import type { Context } from 'cordis'
import { describeError } from '@deepseek-ai/dsh-errors'
import type { Session, SessionId } from '@deepseek-ai/dsh-session'
import { PersistenceError } from './errors.ts'
import type { OpenedSession, SessionWriter } from './session-persistence.ts'

export interface CoordinatorOptions {
  /** How long an event may wait before it is handed to the operating system, in milliseconds. Default 25, so that with the delays of timers it is done within 50. */
  writeBehindMs?: number
}

/** Where the coordinator gets its writers. */
export interface WriterSource {
  create(session: Session, signal: AbortSignal): Promise<SessionWriter>
  open(id: SessionId, signal: AbortSignal): Promise<OpenedSession>
}

/** Events of one append; a burst of more is written in pieces, so that no single write grows without bound. */
const MOST_EVENTS = 4096

/** One session that is being stored. */
interface Track {
  session: Session
  /** The session was there before this coordinator: something of it may be stored already. */
  wasLive: boolean
  writer?: SessionWriter
  timer?: NodeJS.Timeout
  /** The tail of the queue of this session's writes. */
  tail: Promise<unknown>
  /** The tail of the queue of its syncs: what waits for a disk must not keep anything from the operating system. */
  syncs: Promise<unknown>
  /** Set while appends fail, so that a standing failure is logged once. */
  failing: boolean
}

export class WriteCoordinator {
  private readonly ctx: Context
  private readonly source: WriterSource
  private readonly writeBehindMs: number
  private readonly tracks = new Map<SessionId, Track>()
  private readonly adopted = new Map<SessionId, SessionWriter>()
  private readonly skipped = new Set<SessionId>()
  /** Sessions that the store refused from the start. */
  private readonly givenUp = new Set<SessionId>()
  private readonly closing = new Map<SessionId, Promise<void>>()
  private readonly ending = new AbortController()
  private ended: Promise<void> | undefined

  constructor(ctx: Context, source: WriterSource, { writeBehindMs = 25 }: CoordinatorOptions = {}) {
    this.ctx = ctx
    this.source = source
    this.writeBehindMs = writeBehindMs
    ctx.on('session/created', session => this.track(session, false))
    ctx.on('session/event', session => this.schedule(session.id))
    ctx.on('session/flush', session => this.flush(session.id))
    ctx.on('session/closed', session => this.release(session.id))
    ctx.effect(() => () => this.end(), 'session write coordinator')
    for (const session of ctx.get('sessions')?.list() ?? []) {
      this.track(session, true)
      this.schedule(session.id)
    }
  }

  /** Makes `writer` the one of the session of its id, which is created next. */
  adopt(writer: SessionWriter): void {
    this.adopted.set(writer.id, writer)
  }

  /** The adopted writer that no session came for; it is no longer adopted. */
  disown(id: SessionId): SessionWriter | undefined {
    const writer = this.adopted.get(id)
    this.adopted.delete(id)
    return writer
  }

  /** The session of that id, which is created next, is not stored. */
  skip(id: SessionId): void {
    this.skipped.add(id)
  }

  /** Resolves when a session that was closed in this process has been written and its lease given back. */
  async settled(id: SessionId): Promise<void> {
    await this.closing.get(id)
  }

  /** Whether the session of that id is stored, as far as is known: one whose first write failed is not. */
  stores(id: SessionId): boolean {
    const track = this.tracks.get(id)
    return !this.givenUp.has(id) && !(track?.failing === true && (track.writer?.next ?? 0) === 0)
  }

  private track(session: Session, wasLive: boolean): void {
    const { id } = session
    if (this.skipped.delete(id) || this.tracks.has(id)) return
    const writer = this.disown(id)
    this.tracks.set(id, { session, wasLive, tail: Promise.resolve(), syncs: Promise.resolve(), failing: false, ...(writer && { writer }) })
    // A copy begins with events: it is there for others before anything is said in it.
    if (session.seq > (writer?.next ?? 0)) this.schedule(id)
  }

  private schedule(id: SessionId): void {
    const track = this.tracks.get(id)
    if (!track || track.timer) return
    track.timer = setTimeout(() => {
      delete track.timer
      this.enqueue(track, () => this.drain(track)).catch((error: unknown) => this.complain(track, error))
    }, this.writeBehindMs)
  }

  private async flush(id: SessionId): Promise<void> {
    const track = this.tracks.get(id)
    if (!track) return
    await this.enqueue(track, () => this.drain(track))
    await this.sync(track)
  }

  /** Everything that has been written by now is durable when it resolves. */
  private sync(track: Track): Promise<void> {
    const done = track.syncs.then(() => track.writer?.sync())
    track.syncs = done.then(nothing, nothing)
    return done
  }

  /** One thing after the other; what failed does not stop what comes behind it. */
  private enqueue(track: Track, work: () => Promise<void>): Promise<void> {
    const done = track.tail.then(work)
    track.tail = done.then(nothing, nothing)
    return done
  }

  /** Writes what the log holds behind the cursor. */
  private async drain(track: Track): Promise<void> {
    clearTimeout(track.timer)
    delete track.timer
    const { session } = track
    if (!track.writer && session.seq === 0) return
    try {
      const writer = (track.writer ??= await this.openWriter(track))
      while (writer.next < session.seq) await writer.append(session.eventsFrom(writer.next, MOST_EVENTS))
      track.failing = false
    } catch (error) {
      if (!isUnusable(error, track)) throw error
      await this.giveUp(track, error)
    }
  }

  /** A store that cannot even begin (a read-only home) must not keep anybody from working; that nothing is stored is said. */
  private async giveUp({ session, writer }: Track, error: unknown): Promise<void> {
    this.tracks.delete(session.id)
    this.givenUp.add(session.id)
    await writer?.close()
    this.ctx.logger.warn('this session is not stored: %s; set DSH_HOME to a folder that can be written, or use --no-session', describeError(error))
  }

  private async openWriter({ session, wasLive }: Track): Promise<SessionWriter> {
    const { signal } = this.ending
    if (!wasLive) return await this.source.create(session, signal)
    try {
      return await this.reopen(session, signal)
    } catch (error) {
      if (error instanceof PersistenceError && error.code === 'SESSION_NOT_FOUND') return await this.source.create(session, signal)
      throw error
    }
  }

  /** The store was reloaded under a live session: what it has must be the beginning of the log. */
  private async reopen(session: Session, signal: AbortSignal): Promise<SessionWriter> {
    const { writer, stored } = await this.source.open(session.id, signal)
    const last = stored.events.at(-1)
    const same = last === undefined || JSON.stringify(session.eventsFrom(last.seq, 1)[0]) === JSON.stringify(last)
    if (same) return writer
    await writer.close()
    throw new PersistenceError('SESSION_CHANGED', `another session is stored under the id ${session.id}`)
  }

  private release(id: SessionId): void {
    const track = this.tracks.get(id)
    if (!track) return
    this.tracks.delete(id)
    const closed = this.close(track)
    this.closing.set(id, closed)
    void closed.finally(() => {
      if (this.closing.get(id) === closed) this.closing.delete(id)
    })
  }

  /** Never rejects: there is nobody left to tell but the log. */
  private async close(track: Track): Promise<void> {
    try {
      await this.enqueue(track, () => this.drain(track))
      await this.sync(track)
    } catch (error) {
      this.complain(track, error)
    }
    clearTimeout(track.timer)
    await track.writer?.close().catch((error: unknown) => this.complain(track, error))
  }

  /** Writes and closes everything; nothing is stored afterwards. Repeated calls share one promise. */
  end(): Promise<void> {
    return (this.ended ??= this.endNow())
  }

  private async endNow(): Promise<void> {
    for (const id of [...this.tracks.keys()]) this.release(id)
    await Promise.all(this.closing.values())
    for (const writer of this.adopted.values()) await writer.close()
    this.adopted.clear()
    this.ending.abort(new Error('the session store was unloaded'))
  }

  private complain(track: Track, error: unknown): void {
    if (track.failing) return
    track.failing = true
    this.ctx.logger.error('the session %s cannot be stored for now: %s', track.session.id, describeError(error))
  }
}

/** The place itself is wrong, and nothing of the session is in it yet; a full disk may have room later. */
function isUnusable(error: unknown, { wasLive, writer }: Track): boolean {
  const cause = error instanceof PersistenceError && error.code === 'STORE_FAILED' ? (error.cause as NodeJS.ErrnoException | undefined) : undefined
  return (writer ? writer.next === 0 : !wasLive) && ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT', 'ELOOP'].includes(cause?.code ?? '')
}

function nothing(): void {
  // The queue goes on; whoever asked for the work has its outcome.
}
