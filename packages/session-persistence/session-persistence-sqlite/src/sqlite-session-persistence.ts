/** Keeps all sessions in one SQLite database, with full-text search. */

import { randomBytes } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from 'cordis'
import z from 'schemastery'
import type { SessionEvent, SessionHeader, SessionId } from '@deepseek-ai/dsh-session'
import { BlockEcho, checkPrefix, currentHolder, defaultRoot, describeHolder, excerptOf, isAlive, isStoredLease, PersistenceError, SessionPersistence, SummaryFold, upcast, type Damage, type LeaseHolder, type ListOptions, type OpenedSession, type RepairReport, type SearchHit, type SessionSummary, type SessionWriter, type StoredLease, type StoredSession } from '@deepseek-ai/dsh-session-persistence'
import { Database } from './database.ts'
import { asFailure } from './failures.ts'
import { toRecords, type EventRow } from './rows.ts'
import { SqliteWriter } from './sqlite-writer.ts'

export interface SqliteConfig {
  /** The database is `sessions.sqlite` in it. Default: `$DSH_HOME`, else `$XDG_DATA_HOME/dsh`, else `~/.local/share/dsh`. */
  root?: string
  /** How long an event may wait before it is handed to the database, in milliseconds. */
  writeBehindMs: number
}

interface SessionRow {
  id: string
  header: string
  bytes: number
  totals: string
  lease: string | null
}

/** How often a follower looks for what other processes have written. */
const POLL_MS = 200

export class SqliteSessionPersistence extends SessionPersistence {
  static readonly Config: z<SqliteConfig> = z.object({
    root: z.string(),
    writeBehindMs: z.natural().default(25),
  }) as z<SqliteConfig>

  readonly path: string
  private readonly writing = new Set<SessionId>()
  private opening: Promise<Database> | undefined

  constructor(ctx: Context, { root, writeBehindMs }: SqliteConfig) {
    super(ctx, { writeBehindMs })
    this.path = join(root ?? defaultRoot(process.env), 'sessions.sqlite')
    ctx.effect(() => async () => {
      // What still writes is closed first.
      await this.drained()
      await this.opening?.then(database => database.close(), told)
    }, 'session database')
  }

  async create(header: SessionHeader, signal: AbortSignal): Promise<SessionWriter> {
    const { id } = header
    const database = await this.database()
    signal.throwIfAborted()
    if (database.get('SELECT 1 FROM sessions WHERE id = ?', id)) throw new PersistenceError('SESSION_EXISTS', `there is a session ${id} already; go on with it by --resume ${id}`)
    this.claim(id)
    return new SqliteWriter({ database, header, fold: new SummaryFold(header), lease: newLease(), isStored: false, echo: new BlockEcho(), onClose: () => void this.writing.delete(id) })
  }

  async open(id: SessionId, signal: AbortSignal): Promise<OpenedSession> {
    const database = await this.database()
    signal.throwIfAborted()
    this.mustExist(database, id)
    this.claim(id)
    const lease = newLease()
    try {
      return database.transaction(() => {
        this.takeLease(database, id, lease)
        const { stored, fold, brokenFrom } = this.read(database, id)
        const sound = brokenFrom === undefined ? stored : this.putAside(database, stored, brokenFrom)
        database.run('UPDATE sessions SET next = ?, totals = ? WHERE id = ?', fold.events, JSON.stringify(fold), id)
        return { stored: sound, writer: new SqliteWriter({ database, header: stored.header, fold, lease, isStored: true, echo: BlockEcho.after(sound.events), onClose: () => void this.writing.delete(id) }) }
      })
    } catch (error) {
      this.writing.delete(id)
      throw asFailure(error, `open the session ${id}`)
    }
  }

  async load(id: SessionId, signal: AbortSignal): Promise<StoredSession> {
    const database = await this.database()
    signal.throwIfAborted()
    return this.read(database, id).stored
  }

  async list({ cwd, limit }: ListOptions, signal: AbortSignal): Promise<SessionSummary[]> {
    const database = await this.database()
    signal.throwIfAborted()
    const folders = cwd === undefined ? [] : [...new Set([cwd, await realpath(cwd).catch(() => cwd)])]
    const where = folders.length === 0 ? '' : `WHERE cwd IN (${folders.map(() => '?').join(', ')})`
    const rows = database.all<SessionRow>(`SELECT id, header, bytes, totals, lease FROM sessions ${where} ORDER BY last_activity DESC, id DESC LIMIT ?`, ...folders, limit ?? -1)
    return rows.map(summarize)
  }

  async readRange(id: SessionId, { from, to }: { from: number; to?: number }, signal: AbortSignal): Promise<SessionEvent[]> {
    const { events } = await this.load(id, signal)
    return events.slice(Math.max(0, from), to === undefined ? undefined : to + 1)
  }

  async *follow(id: SessionId, { from }: { from: number }, signal: AbortSignal): AsyncIterable<SessionEvent> {
    const database = await this.database()
    this.mustExist(database, id)
    let next = from
    while (!signal.aborted) {
      const count = database.get<{ next: number }>('SELECT next FROM sessions WHERE id = ?', id)?.next ?? 0
      for (const event of count > next ? await this.readRange(id, { from: next }, new AbortController().signal) : []) {
        if (signal.aborted) return
        yield event
        next = event.seq + 1
      }
      await sleep(POLL_MS, undefined, { signal }).catch((error: unknown) => {
        if (!signal.aborted) throw error
      })
    }
  }

  async delete(id: SessionId, signal: AbortSignal): Promise<void> {
    const database = await this.database()
    signal.throwIfAborted()
    this.mustExist(database, id)
    this.claim(id)
    try {
      database.transaction(() => {
        this.takeLease(database, id, newLease())
        database.run('DELETE FROM messages WHERE session_id = ?', id)
        database.run('DELETE FROM sessions WHERE id = ?', id)
      })
    } catch (error) {
      throw asFailure(error, `delete the session ${id}`)
    } finally {
      this.writing.delete(id)
    }
  }

  async search(query: string, { cwd, limit }: ListOptions, signal: AbortSignal): Promise<SearchHit[]> {
    const words = query.split(/\s+/).filter(word => word !== '')
    if (words.length === 0) return []
    const database = await this.database()
    signal.throwIfAborted()
    const match = words.map(word => `"${word.replaceAll('"', '""')}"*`).join(' ')
    const found = database.all<{ session_id: string; seq: number; text: string }>('SELECT session_id, min(seq) AS seq, text FROM messages WHERE messages MATCH ? GROUP BY session_id', match)
    const bySession = new Map(found.map(row => [row.session_id, row]))
    const hits = (await this.list({ ...(cwd !== undefined && { cwd }) }, signal)).flatMap(summary => {
      const row = bySession.get(summary.id)
      return row ? [{ summary, seq: row.seq, excerpt: excerptOf(row.text, row.text.toLowerCase().indexOf(words[0]?.toLowerCase() ?? '')) }] : []
    })
    return hits.slice(0, limit)
  }

  async repair(id: SessionId, signal: AbortSignal): Promise<RepairReport> {
    const faults = (await this.database()).check()
    if (faults.length > 0) throw new PersistenceError('STORE_FAILED', `${this.path} is damaged: ${faults.join('; ')}. Move it away; the sqlite3 program recovers what can be read (.recover)`)
    const { writer, stored } = await this.open(id, signal)
    await writer.close()
    return { id, damage: stored.damage, events: stored.events.length, keptAside: stored.damage.flatMap(({ keptAside }) => keptAside ?? []) }
  }

  async find(prefix: string, signal: AbortSignal): Promise<SessionId> {
    const database = await this.database()
    signal.throwIfAborted()
    const ids = database.all<{ id: string }>('SELECT id FROM sessions WHERE substr(id, 1, ?) = ? ORDER BY id LIMIT 6', prefix.length, prefix).map(({ id }) => id)
    const [id] = ids
    if (prefix === '' || id === undefined) throw new PersistenceError('SESSION_NOT_FOUND', `there is no session whose id begins with ${JSON.stringify(prefix.slice(0, 80))}`)
    if (ids.length > 1 && !ids.includes(prefix)) throw new PersistenceError('SESSION_AMBIGUOUS', `several sessions begin with ${prefix}: ${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ' …' : ''}; give more of the id`)
    return ids.includes(prefix) ? prefix : id
  }

  private async database(): Promise<Database> {
    try {
      return await (this.opening ??= Database.open(this.path))
    } catch (error) {
      this.opening = undefined
      throw asFailure(error, `open ${this.path}`)
    }
  }

  private claim(id: SessionId): void {
    if (this.writing.has(id)) throw new PersistenceError('SESSION_IN_USE', `the session ${id} is open in this process already`, { holder: currentHolder('') })
    this.writing.add(id)
  }

  private mustExist(database: Database, id: SessionId): void {
    if (!database.get('SELECT 1 FROM sessions WHERE id = ?', id)) throw notFound(id)
  }

  /** Within a transaction, so that of two takers one finds the other. */
  private takeLease(database: Database, id: SessionId, lease: StoredLease): void {
    const row = database.get<{ lease: string | null }>('SELECT lease FROM sessions WHERE id = ?', id)
    if (!row) throw notFound(id)
    const holder = parseLease(row.lease)
    const state = holder ? isAlive(holder) : 'dead'
    if (holder && state !== 'dead') {
      const advice = state === 'unknown' ? '; if that process is gone, clear the column "lease" of its row' : ''
      throw new PersistenceError('SESSION_IN_USE', `the session ${id} is in use by ${describeHolder(holder)}${advice}`, { holder: publicHolder(holder) })
    }
    database.run('UPDATE sessions SET lease = ? WHERE id = ?', JSON.stringify(lease), id)
  }

  private read(database: Database, id: SessionId): { stored: StoredSession; fold: SummaryFold; brokenFrom?: number } {
    const row = database.get<SessionRow>('SELECT id, header, bytes, totals, lease FROM sessions WHERE id = ?', id)
    if (!row) throw notFound(id)
    const rows = database.all<EventRow>('SELECT seq, n, type, time, data, source_event_seqs, surface_op FROM events WHERE session_id = ? ORDER BY seq', id)
    const records = toRecords(rows)
    const { events, damage, rest } = checkPrefix(records)
    const form = upcast({ header: headerOf(row), events })
    const fold = new SummaryFold(form.header)
    for (const event of form.events) fold.advance(event)
    const holder = livingHolder(row.lease)
    const summary = { ...fold.summary(row.bytes), ...(damage.length > 0 && { damage }), ...(holder && { inUseBy: holder }) }
    return { stored: { ...form, damage, summary }, fold, ...(rest !== undefined && { brokenFrom: events.length }) }
  }

  /** Moves the rows that cannot be used out of the way; nothing is thrown away. */
  private putAside(database: Database, stored: StoredSession, from: number): StoredSession {
    const { id } = stored.header
    database.run('INSERT INTO damaged SELECT session_id, ?, seq, n, type, time, data, source_event_seqs, surface_op FROM events WHERE session_id = ? AND seq + n > ?', Date.now(), id, from)
    database.run('DELETE FROM events WHERE session_id = ? AND seq + n > ?', id, from)
    database.run('DELETE FROM messages WHERE session_id = ? AND seq >= ?', id, from)
    const damage: Damage[] = stored.damage.map(each => ({ ...each, keptAside: `${this.path}, table damaged` }))
    return { ...stored, damage, summary: { ...stored.summary, damage } }
  }
}

function told(): void {
  // Whoever asked for the database has been told why it cannot be opened.
}

function headerOf({ id, header }: SessionRow): SessionHeader {
  try {
    return JSON.parse(header) as SessionHeader
  } catch (error) {
    throw new PersistenceError('SESSION_DAMAGED', `the session ${id} has no readable header; its rows are untouched`, { cause: error })
  }
}

/** A row whose totals cannot be read is listed with what is known of it. */
function summarize(row: SessionRow): SessionSummary {
  const holder = livingHolder(row.lease)
  const inUseBy = holder && { inUseBy: holder }
  try {
    const { header } = upcast({ header: headerOf(row), events: [] })
    return { ...SummaryFold.fromJSON(header, JSON.parse(row.totals)).summary(row.bytes), ...inUseBy }
  } catch (error) {
    const { message } = error as Error
    const kind = error instanceof PersistenceError && error.code === 'SESSION_VERSION' ? 'version' : 'header'
    return { ...new SummaryFold({ version: 1, id: row.id, createdAt: 0 }).summary(row.bytes), damage: [{ kind, message }], ...inUseBy }
  }
}

function newLease(): StoredLease {
  return currentHolder(randomBytes(8).toString('hex'))
}

function notFound(id: string): PersistenceError {
  return new PersistenceError('SESSION_NOT_FOUND', `there is no session ${JSON.stringify(id.slice(0, 80))}`)
}

/** It is stored in one transaction: what cannot be read is nobody's. */
function parseLease(text: string | null): StoredLease | undefined {
  if (text === null) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isStoredLease(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function livingHolder(text: string | null): LeaseHolder | undefined {
  const lease = parseLease(text)
  return lease && isAlive(lease) !== 'dead' ? publicHolder(lease) : undefined
}

function publicHolder({ pid, host, since }: StoredLease): LeaseHolder {
  return { pid, host, since }
}
