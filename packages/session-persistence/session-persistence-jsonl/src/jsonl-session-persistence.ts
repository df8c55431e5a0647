/** Keeps sessions as plain files of one JSON value a line. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from 'cordis'
import z from 'schemastery'
import { AppendFile } from '@deepseek-ai/dsh-append-file'
import { readHolder, takeLease, type LeaseFile } from '@deepseek-ai/dsh-lease'
import type { SessionEvent, SessionHeader, SessionId } from '@deepseek-ai/dsh-session'
import { BlockEcho, defaultRoot, findWords, PersistenceError, rehearseWriting, SessionPersistence, storedSession, SummaryFold, type Damage, type ListOptions, type OpenedSession, type RepairReport, type SearchHit, type SessionSummary, type SessionWriter, type StoredSession } from '@deepseek-ai/dsh-session-persistence'
import { asFailure } from './failures.ts'
import { followLog } from './follow-log.ts'
import { JsonlWriter, type Place } from './jsonl-writer.ts'
import { assertSafeId, LOCK, LOG, META, STREAM } from './layout.ts'
import { openFiles } from './open-files.ts'
import { readJournal } from './read-journal.ts'
import { readEvents, readLog } from './read-log.ts'
import { searchLog } from './search-log.ts'
import { findByPrefix, listFiles, locate, lookUp, openProject, type SessionFile } from './session-files.ts'
import { StreamJournal } from './stream-journal.ts'
import { summarize } from './summarize.ts'

export interface JsonlConfig {
  /** Sessions lie in `sessions` below it. Default: `$DSH_HOME`, else `$XDG_DATA_HOME/dsh`, else `~/.local/share/dsh`. */
  root?: string
  /** How long an event may wait before it is handed to the operating system, in milliseconds. */
  writeBehindMs: number
}

/** Sessions that are looked at side by side. */
const AT_ONCE = 32

/** Each may have a long line in memory. */
const SEARCHED_AT_ONCE = 8

/** Of such a session nothing is known but its name. */
const UNREADABLE: ReadonlySet<string> = new Set(['header', 'version', 'unreadable'])

export class JsonlSessionPersistence extends SessionPersistence {
  static readonly Config: z<JsonlConfig> = z.object({
    root: z.string(),
    writeBehindMs: z.natural().default(25),
  }) as z<JsonlConfig>

  readonly root: string
  private readonly writing = new Set<SessionId>()
  private readonly leases = new Set<LeaseFile>()

  constructor(ctx: Context, { root, writeBehindMs }: JsonlConfig) {
    super(ctx, { writeBehindMs })
    this.root = root ?? defaultRoot(process.env)
    // What ends without unloading must not look like a holder for longer than it lives.
    const onExit = (): void => this.leases.forEach(lease => lease.release())
    ctx.effect(() => {
      process.on('exit', onExit)
      return () => process.off('exit', onExit)
    }, 'session leases')
  }

  /** In a folder of its own among the temporary files. */
  override async rehearse(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const root = mkdtempSync(join(tmpdir(), 'dsh-rehearsal-'))
    const writer = (header: SessionHeader): JsonlWriter => new JsonlWriter({ header, fold: new SummaryFold(header), begin: text => this.begin(root, header, text), onClose: () => {} })
    await rehearseWriting(writer).finally(() => rmSync(root, { recursive: true, force: true }))
  }

  async create(header: SessionHeader, signal: AbortSignal): Promise<SessionWriter> {
    const { id } = header
    signal.throwIfAborted()
    assertSafeId(id)
    this.mustBeNew(id)
    this.claim(id)
    return new JsonlWriter({ header, fold: new SummaryFold(header), begin: text => this.begin(this.root, header, text), onClose: () => void this.writing.delete(id) })
  }

  async open(id: SessionId, signal: AbortSignal): Promise<OpenedSession> {
    signal.throwIfAborted()
    const file = locate(this.root, id)
    this.claim(id)
    let lease: LeaseFile | undefined
    try {
      lease = await this.takeLease(file, signal)
      const left = readJournal(join(file.folder, id + STREAM))
      const read = await readLog(join(file.folder, id + LOG), id, left)
      const { log, journal, stored } = await openFiles(file, read, left)
      const opened: Place = { log, journal, lease, metaPath: join(file.folder, id + META) }
      const writer = new JsonlWriter({ header: stored.header, fold: read.fold, begin: () => Promise.reject(new TypeError('the session is open')), opened, echo: BlockEcho.after(stored.log), onClose: () => void this.writing.delete(id) })
      return { writer, stored }
    } catch (error) {
      this.writing.delete(id)
      lease?.release()
      signal.throwIfAborted()
      throw asFailure(error, `open the session ${id}`)
    }
  }

  async load(id: SessionId, signal: AbortSignal): Promise<StoredSession> {
    signal.throwIfAborted()
    const { folder } = locate(this.root, id)
    const { header, log, damage, summary } = (await readLog(join(folder, id + LOG), id, readJournal(join(folder, id + STREAM)))).stored
    const inUseBy = readHolder(join(folder, id + LOCK))
    return storedSession({ header, log, damage, summary: inUseBy ? { ...summary, inUseBy } : summary })
  }

  async list({ cwd, limit }: ListOptions, signal: AbortSignal): Promise<SessionSummary[]> {
    signal.throwIfAborted()
    return (await this.overview(listFiles(this.root, cwd), signal)).slice(0, limit)
  }

  async summary(id: SessionId, signal: AbortSignal): Promise<SessionSummary> {
    signal.throwIfAborted()
    const summary = await summarize(locate(this.root, id))
    if (!summary) throw new PersistenceError('SESSION_NOT_FOUND', `there is no session ${id}`)
    return summary
  }

  async readRange(id: SessionId, { from, to }: { from: number; to?: number }, signal: AbortSignal): Promise<SessionEvent[]> {
    signal.throwIfAborted()
    const { folder } = locate(this.root, id)
    const journal = readJournal(join(folder, id + STREAM))
    const events = await readEvents(join(folder, id + LOG), id, { until: to === undefined ? Infinity : to + 1, journal })
    return events.slice(Math.max(0, from))
  }

  async *follow(id: SessionId, { from }: { from: number }, signal: AbortSignal): AsyncIterable<SessionEvent> {
    const { folder } = locate(this.root, id)
    yield* followLog({ log: join(folder, id + LOG), journal: join(folder, id + STREAM) }, from, signal)
  }

  async delete(id: SessionId, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const { folder } = lookUp(this.root, id) ?? locate(this.root, id, STREAM)
    this.claim(id)
    let lease: LeaseFile | undefined
    try {
      lease = await this.takeLease({ id, folder }, signal)
      for (const ending of [LOG, STREAM, META]) rmSync(join(folder, id + ending), { recursive: true, force: true })
    } catch (error) {
      signal.throwIfAborted()
      throw asFailure(error, `delete the session ${id}`)
    } finally {
      this.writing.delete(id)
      lease?.release()
    }
  }

  async search(query: string, { cwd, limit }: ListOptions, signal: AbortSignal): Promise<SearchHit[]> {
    signal.throwIfAborted()
    const words = query.toLowerCase().split(/\s+/).filter(word => word !== '')
    if (words.length === 0) return []
    const hits: SearchHit[] = []
    const files = listFiles(this.root, cwd)
    const folders = new Map(files.map(({ id, folder }) => [id, folder]))
    const summaries = await this.overview(files, signal)
    for (let i = 0; i < summaries.length && hits.length < (limit ?? Infinity); i += SEARCHED_AT_ONCE) {
      signal.throwIfAborted()
      const some = await Promise.all(summaries.slice(i, i + SEARCHED_AT_ONCE).map(summary => this.searchOne(summary, { folder: folders.get(summary.id) ?? '', words, signal })))
      hits.push(...some.filter(hit => hit !== undefined))
    }
    return hits.slice(0, limit)
  }

  async repair(id: SessionId, signal: AbortSignal): Promise<RepairReport> {
    const { writer, stored } = await this.open(id, signal)
    await writer.close()
    return { id, damage: stored.damage, events: stored.summary.events, keptAside: stored.damage.flatMap(({ keptAside }) => keptAside ?? []) }
  }

  /** Every session has files of its own: there is nothing else to check. */
  async repairStore(signal: AbortSignal): Promise<Damage[]> {
    signal.throwIfAborted()
    return []
  }

  async find(prefix: string, signal: AbortSignal): Promise<SessionId> {
    signal.throwIfAborted()
    return findByPrefix(this.root, prefix)
  }

  /** One writer of a session in this process; the lock file keeps the other processes out. */
  private claim(id: SessionId): void {
    if (this.writing.has(id)) throw new PersistenceError('SESSION_IN_USE', `the session ${id} is open in this process already`, { holder: { pid: process.pid, host: '', since: Date.now() } })
    this.writing.add(id)
  }

  private mustBeNew(id: SessionId): void {
    if (lookUp(this.root, id)) throw new PersistenceError('SESSION_EXISTS', `there is a session ${id} already; go on with it by --resume ${id}`)
  }

  private async takeLease({ id, folder }: SessionFile, signal: AbortSignal): Promise<LeaseFile> {
    const lease: LeaseFile = await takeLease(join(folder, id + LOCK), { what: `the session ${id}`, onRelease: () => void this.leases.delete(lease) }, signal)
    this.leases.add(lease)
    return lease
  }

  private async begin(root: string, { id, cwd }: SessionHeader, text: string): Promise<Place> {
    const folder = openProject(root, cwd)
    // What is being stored already is not to be given up half-way.
    const lease = await this.takeLease({ id, folder }, new AbortController().signal)
    try {
      // Of a session whose log was taken away: it must not pass for the stream of this one.
      rmSync(join(folder, id + STREAM), { recursive: true, force: true })
      return { log: AppendFile.create(join(folder, id + LOG), text), journal: new StreamJournal(join(folder, id + STREAM)), lease, metaPath: join(folder, id + META) }
    } catch (error) {
      lease.release()
      throw error
    }
  }

  private async overview(files: readonly SessionFile[], signal: AbortSignal): Promise<SessionSummary[]> {
    const summaries: SessionSummary[] = []
    for (let i = 0; i < files.length; i += AT_ONCE) {
      signal.throwIfAborted()
      const some = await Promise.all(files.slice(i, i + AT_ONCE).map(summarize))
      summaries.push(...some.filter(summary => summary !== undefined))
    }
    return summaries.sort((a, b) => b.lastActivity - a.lastActivity || (a.id < b.id ? 1 : -1))
  }

  /** A session that cannot be read holds no match; the list says what is wrong with it. */
  private async searchOne(summary: SessionSummary, { folder, words, signal }: { folder: string; words: readonly string[]; signal: AbortSignal }): Promise<SearchHit | undefined> {
    if (summary.damage?.some(({ kind }) => UNREADABLE.has(kind))) return undefined
    const before = summary.damage?.find(({ kind }) => kind === 'hole')?.seq ?? Infinity
    try {
      const match = await searchLog(join(folder, summary.id + LOG), words, { before })
      if (match.kind === 'found') return { summary, seq: match.seq, excerpt: match.excerpt }
      if (match.kind === 'nothing') return undefined
      const found = findWords((await this.load(summary.id, signal)).events, words)
      return found && { summary, ...found }
    } catch (error) {
      if (error instanceof PersistenceError || (error as NodeJS.ErrnoException).code !== undefined) return undefined
      throw error
    }
  }
}
