/** Keeps all sessions in one SQLite database, with full-text search. */

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from 'cordis'
import z from 'schemastery'
import type { SessionEvent, SessionHeader, SessionId } from '@deepseek-ai/dsh-session'
import { BlockEcho, currentHolder, defaultRoot, PersistenceError, SessionPersistence, SummaryFold, type Damage, type ListOptions, type OpenedSession, type PersistenceErrorCode, type RepairReport, type SearchHit, type SessionSummary, type SessionWriter, type StoredLease, type StoredSession } from '@deepseek-ai/dsh-session-persistence'
import { Database } from './database.ts'
import { asFailure, isCorrupt } from './failures.ts'
import { RowTail } from './follow-rows.ts'
import { putAside, readRange, readSession } from './read-session.ts'
import { readableIds, salvage } from './salvage.ts'
import { searchSessions } from './search-sessions.ts'
import { dropLease, notFound, realPath, rowOf, SESSION_COLUMNS, summarize, takeLease, type SessionRow } from './session-row.ts'
import { SqliteWriter } from './sqlite-writer.ts'

export interface SqliteConfig {
  /** The database is `sessions.sqlite` in it. Default: `$DSH_HOME`, else `$XDG_DATA_HOME/dsh`, else `~/.local/share/dsh`. */
  root?: string
  /** How long an event may wait before it is handed to the database, in milliseconds. */
  writeBehindMs: number
  /** How long another process's transaction is waited for, in milliseconds. Default 5000. */
  busyMs?: number
  /** How often a follower looks for what was written, in milliseconds. Default 200. */
  pollMs?: number
}

/** For short looks of something that ends by itself, and not by an error, when it is told to. */
const UNTIL_DONE = new AbortController().signal

export class SqliteSessionPersistence extends SessionPersistence {
  static readonly Config: z<SqliteConfig> = z.object({
    root: z.string(),
    writeBehindMs: z.natural().default(25),
    busyMs: z.natural(),
    pollMs: z.natural().min(10),
  }) as z<SqliteConfig>

  readonly path: string
  private readonly busyMs: number
  private readonly pollMs: number
  private readonly writing = new Set<SessionId>()
  private opening: Promise<Database> | undefined

  constructor(ctx: Context, { root, writeBehindMs, busyMs = 5000, pollMs = 200 }: SqliteConfig) {
    super(ctx, { writeBehindMs })
    this.busyMs = busyMs
    this.pollMs = pollMs
    this.path = join(root ?? defaultRoot(process.env), 'sessions.sqlite')
    ctx.effect(() => async () => {
      // What still writes is closed first.
      await this.drained()
      await this.closeDatabase()
    }, 'session database')
  }

  async create(header: SessionHeader, signal: AbortSignal): Promise<SessionWriter> {
    const { id } = header
    const taken = await this.querying(`begin the session ${id}`, signal, database => database.get('SELECT 1 FROM sessions WHERE id = ?', id) !== undefined)
    if (taken) throw new PersistenceError('SESSION_EXISTS', `there is a session ${id} already; go on with it by --resume ${id}`)
    this.claim(id)
    return this.writer({ header, fold: new SummaryFold(header), lease: newLease(), isStored: false, echo: new BlockEcho() })
  }

  async open(id: SessionId, signal: AbortSignal): Promise<OpenedSession> {
    const database = await this.found(id, signal)
    this.claim(id)
    const lease = newLease()
    try {
      await database.writing(() => takeLease(database, id, lease), signal)
      try {
        return await this.opened(database, id, lease)
      } catch (error) {
        await database.writing(() => dropLease(database, id, lease))
        throw error
      }
    } catch (error) {
      this.writing.delete(id)
      if (signal.aborted && error === signal.reason) throw error
      throw asFailure(error, `open the session ${id}`)
    }
  }

  async load(id: SessionId, signal: AbortSignal): Promise<StoredSession> {
    const read = await this.querying(`read the session ${id}`, signal, database => readSession(database, id).stored)
    if (!read) throw notFound(id)
    return read
  }

  async list({ cwd, limit }: ListOptions, signal: AbortSignal): Promise<SessionSummary[]> {
    const folders = foldersOf(cwd)
    const where = folders.length === 0 ? '' : `WHERE cwd IN (${folders.map(() => '?').join(', ')})`
    const sql = `SELECT ${SESSION_COLUMNS} FROM sessions ${where} ORDER BY last_activity DESC, id DESC LIMIT ?`
    const rows = await this.querying('list the sessions', signal, database => database.all<SessionRow>(sql, ...folders, limit ?? -1))
    return (rows ?? []).map(summarize)
  }

  async summary(id: SessionId, signal: AbortSignal): Promise<SessionSummary> {
    const row = await this.querying(`find the session ${id}`, signal, database => rowOf(database, id))
    if (!row) throw notFound(id)
    return summarize(row)
  }

  async readRange(id: SessionId, { from, to = Number.MAX_SAFE_INTEGER }: { from: number; to?: number }, signal: AbortSignal): Promise<SessionEvent[]> {
    const events = await this.querying(`read the session ${id}`, signal, database => readRange(database, id, { from, to }))
    if (!events) throw notFound(id)
    return events
  }

  async *follow(id: SessionId, { from }: { from: number }, signal: AbortSignal): AsyncIterable<SessionEvent> {
    let tail: RowTail | undefined
    let seen = ''
    while (!signal.aborted) {
      const look = await this.look(id)
      tail ??= new RowTail(look.key)
      const events = look.mark === seen ? [] : await this.read(tail)
      // Not before nothing more is found, since one look does not take in all.
      if (events.length === 0) seen = look.mark
      for (const event of events) {
        if (event.seq >= from && !signal.aborted) yield event
      }
      if (events.length === 0) await nap(this.pollMs, signal)
    }
  }

  async delete(id: SessionId, signal: AbortSignal): Promise<void> {
    const database = await this.found(id, signal)
    this.claim(id)
    try {
      // What is freed is overwritten; in daily work that would cost too much.
      database.run('PRAGMA secure_delete = ON')
      await database.writing(() => {
        takeLease(database, id, newLease())
        database.run('DELETE FROM messages WHERE rowid IN (SELECT key FROM events WHERE session = (SELECT key FROM sessions WHERE id = ?))', id)
        database.run('DELETE FROM damaged WHERE session_id = ?', id)
        database.run('DELETE FROM sessions WHERE id = ?', id)
      }, signal)
      database.all('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch (error) {
      if (signal.aborted && error === signal.reason) throw error
      throw asFailure(error, `delete the session ${id}`)
    } finally {
      database.run('PRAGMA secure_delete = OFF')
      this.writing.delete(id)
    }
  }

  async search(query: string, { cwd, limit }: ListOptions, signal: AbortSignal): Promise<SearchHit[]> {
    const words = query.toLowerCase().split(/\s+/).filter(word => word !== '')
    const database = await this.existing()
    signal.throwIfAborted()
    if (words.length === 0 || !database) return []
    return await searchSessions(database, words, { folders: foldersOf(cwd), ...(limit !== undefined && { limit }) }, signal)
  }

  async repair(id: SessionId, signal: AbortSignal): Promise<RepairReport> {
    const saved = await this.repairStore(signal)
    const { writer, stored } = await this.open(id, signal).catch((error: unknown) => {
      throw withReport(error, saved)
    })
    await writer.close()
    const damage = [...saved, ...stored.damage]
    return { id, damage, events: stored.summary.events, keptAside: damage.flatMap(({ keptAside }) => keptAside ?? []) }
  }

  async find(prefix: string, signal: AbortSignal): Promise<SessionId> {
    const ids = prefix === '' ? [] : await this.idsWith(prefix, signal)
    const [id] = ids
    if (id === undefined) throw new PersistenceError('SESSION_NOT_FOUND', `there is no session whose id begins with ${JSON.stringify(prefix.slice(0, 80))}`)
    if (ids.length > 1 && !ids.includes(prefix)) throw new PersistenceError('SESSION_AMBIGUOUS', `several sessions begin with ${prefix}: ${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ' …' : ''}; give more of the id`)
    return ids.includes(prefix) ? prefix : id
  }

  /** Opens the database, and makes one when there is none. */
  private async database(): Promise<Database> {
    this.opening ??= this.openDatabase()
    try {
      return await this.opening
    } catch (error) {
      this.opening = undefined
      throw asFailure(error, `open ${this.path}`)
    }
  }

  private async openDatabase(): Promise<Database> {
    const database = await Database.open(this.path, { busyMs: this.busyMs })
    if (database.faults.length > 0) this.ctx.logger.error('%s is damaged, and nothing is written to it: %s; what can be read is saved by: dsh sessions repair ID', this.path, database.faults.join('; '))
    return database
  }

  /** Undefined when nothing is stored yet: looking makes no files. */
  private async existing(): Promise<Database | undefined> {
    return this.opening || existsSync(this.path) ? await this.database() : undefined
  }

  private async closeDatabase(): Promise<void> {
    const database = await this.opening?.catch(told)
    this.opening = undefined
    await database?.close()
  }

  /** What `query` returns, `doing` being the word for it; undefined when nothing is stored yet. */
  private async querying<T>(doing: string, signal: AbortSignal, query: (database: Database) => T): Promise<T | undefined> {
    const database = await this.existing()
    signal.throwIfAborted()
    try {
      return database && (await database.reading(() => query(database), signal))
    } catch (error) {
      if (signal.aborted && error === signal.reason) throw error
      throw asFailure(error, doing)
    }
  }

  /** The database, which has a session of that id. */
  private async found(id: SessionId, signal: AbortSignal): Promise<Database> {
    await this.querying(`find the session ${id}`, signal, database => rowOf(database, id))
    const database = await this.existing()
    if (!database) throw notFound(id)
    return database
  }

  private writer(setup: Omit<ConstructorParameters<typeof SqliteWriter>[0], 'database' | 'onClose'>): SqliteWriter {
    return new SqliteWriter({ ...setup, database: () => this.database(), onClose: () => void this.writing.delete(setup.header.id) })
  }

  private claim(id: SessionId): void {
    if (this.writing.has(id)) throw new PersistenceError('SESSION_IN_USE', `the session ${id} is open in this process already`, { holder: currentHolder('') })
    this.writing.add(id)
  }

  /** The lease is taken: what is read stays as it is. */
  private async opened(database: Database, id: SessionId, lease: StoredLease): Promise<OpenedSession> {
    const found = await database.reading(() => readSession(database, id))
    const { fold, brokenFrom } = found
    const stored = await database.writing(() => {
      database.run('UPDATE sessions SET next = ?, totals = ? WHERE id = ?', fold.events, JSON.stringify(fold), id)
      return brokenFrom === undefined ? found.stored : putAside(database, found, brokenFrom)
    })
    return { stored, writer: this.writer({ header: stored.header, fold, lease, isStored: true, echo: BlockEcho.after(stored.log) }) }
  }

  /** What changes whenever the session may have. */
  private async look(id: SessionId): Promise<{ key: number; mark: string }> {
    const sql = 'SELECT key, next FROM sessions WHERE id = ?'
    const found = await this.querying(`follow the session ${id}`, UNTIL_DONE, database => ({ version: database.dataVersion(), row: database.get<{ key: number; next: number }>(sql, id) }))
    if (!found?.row) throw notFound(id)
    return { key: found.row.key, mark: `${found.version} ${found.row.next}` }
  }

  private async read(tail: RowTail): Promise<SessionEvent[]> {
    return (await this.querying('follow a session', UNTIL_DONE, database => tail.read(database))) ?? []
  }

  private async idsWith(prefix: string, signal: AbortSignal): Promise<SessionId[]> {
    const sql = 'SELECT id FROM sessions WHERE substr(id, 1, ?) = ? ORDER BY id LIMIT 6'
    try {
      const rows = await this.querying('find a session', signal, database => database.all<{ id: string }>(sql, prefix.length, prefix))
      return (rows ?? []).map(({ id }) => id)
    } catch (error) {
      if (!isDamage(error)) throw error
      const ids = (await readableIds(this.path)).filter(id => id.startsWith(prefix))
      // The name may be what is lost: it is taken at its word, so that it can be repaired.
      return ids.length > 0 ? ids : [prefix]
    }
  }

  async repairStore(signal: AbortSignal): Promise<Damage[]> {
    const faults = await this.faults()
    signal.throwIfAborted()
    if (faults.length === 0) return []
    if (this.writing.size > 0) throw new PersistenceError('STORE_FAILED', `${this.path} is damaged, and sessions are open in this process; repair it from another one that has none`)
    await this.closeDatabase()
    const { sessions, rows, headless, keptAside } = await salvage(this.path).catch((error: unknown) => {
      const hopeless = isCorrupt(error) && new PersistenceError('STORE_FAILED', `${this.path} is damaged, and not even its tables can be found; nothing was changed. The sqlite3 program may read more of it (.recover)`, { cause: error })
      throw hopeless || asFailure(error, `save what ${this.path} holds`)
    })
    const lost = headless.length > 0 ? `; the headers of ${headless.join(', ')} were lost and made anew` : ''
    return [{ kind: 'unreadable', message: `the database was damaged (${faults.join('; ')}); ${sessions} sessions with ${rows} rows were saved into a new one${lost}`, keptAside }]
  }

  private async faults(): Promise<string[]> {
    try {
      return (await this.existing())?.check('integrity_check') ?? []
    } catch (error) {
      if (isDamage(error)) return [error.message]
      throw error
    }
  }
}

/** Whether the file itself is damaged, as far as the error says. */
function isDamage(error: unknown): error is PersistenceError {
  return error instanceof PersistenceError && error.code === 'STORE_FAILED' && isCorrupt(error.cause)
}

/** What was saved is told also when that one session is not among it. */
function withReport(error: unknown, [saved]: readonly Damage[]): unknown {
  if (!saved || !(error instanceof PersistenceError)) return error
  return new PersistenceError(error.code as PersistenceErrorCode, `${error.message}; ${saved.message}. The damaged one is ${saved.keptAside ?? ''}`, { cause: error })
}

function told(): undefined {
  // Whoever asked for the database has been told why it cannot be opened.
}

function foldersOf(cwd: string | undefined): string[] {
  return cwd === undefined ? [] : [...new Set([cwd, realPath(cwd)])]
}

function newLease(): StoredLease {
  return currentHolder(randomBytes(8).toString('hex'))
}

/** Ends early, and without an error, with the signal. */
async function nap(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}
