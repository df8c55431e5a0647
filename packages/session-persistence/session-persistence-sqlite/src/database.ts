/**
 * One open database: made private, brought to the current form, and used in
 * transactions. Its calls block the process, so each does little; waiting for
 * another process does not block.
 */

import { chmodSync, closeSync, fdatasyncSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { open as openFile, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { PersistenceError } from '@deepseek-ai/dsh-session-persistence'
import { isBusy, isCorrupt } from './failures.ts'
import { MIGRATIONS, SCHEMA_VERSION } from './schema.ts'

/** How long a call may block for another process's lock; longer waits are asleep. */
const BLOCKING_MS = 10
const LONGEST_NAP_MS = 50

/** A larger file is checked only by `repair`: reading it all would keep somebody waiting. */
const CHECKED_BYTES = 64 * 1024 * 1024

/** Transactions after which the write-ahead log is written back at the next sync, when that is cheapest. */
const WRITTEN_BACK_AFTER = 250

/** Pages of the log at which SQLite writes it back by itself, which blocks for as long as the disk takes. */
const MOST_LOGGED_PAGES = 4000

/** Complaints of a check that are told. */
const MOST_FAULTS = 20

export type Value = string | number | null

export class Database {
  readonly path: string
  /** What was found wrong with the file when it was opened after a crash; nothing may be written then. */
  private found: string[] = []
  private readonly inner: DatabaseSync
  private readonly busyMs: number
  private readonly statements = new Map<string, StatementSync>()
  /** Transactions that are in the write-ahead log only. */
  private logged = 0
  /** The write-ahead log; opened when something has to be made durable. */
  private wal: Promise<FileHandle> | undefined

  private constructor(path: string, inner: DatabaseSync, busyMs: number) {
    this.path = path
    this.inner = inner
    this.busyMs = busyMs
  }

  /** Throws `SESSION_VERSION` for a database of a newer version, which is left as it is. */
  static async open(path: string, { busyMs }: { busyMs: number }): Promise<Database> {
    const { DatabaseSync } = await import('node:sqlite')
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    // SQLite gives its side files the mode of the database, so this is made first.
    if (!createPrivate(path)) keepPrivate(path)
    const wasLeft = sizeOf(`${path}-wal`) > 0
    const database = new Database(path, new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: BLOCKING_MS }), busyMs)
    try {
      await database.prepareFile()
      if (wasLeft && sizeOf(path) <= CHECKED_BYTES) database.found = database.check('quick_check')
    } catch (error) {
      database.inner.close()
      throw error
    }
    return database
  }

  get faults(): readonly string[] {
    return this.found
  }

  /** The rows of a query, as objects. */
  all<Row>(sql: string, ...values: Value[]): Row[] {
    return this.prepare(sql).all(...values) as Row[]
  }

  /** The rows of a query, as arrays: for many rows. */
  tuples<Row extends readonly unknown[]>(sql: string, ...values: Value[]): Row[] {
    const statement = this.prepare(sql)
    statement.setReturnArrays(true)
    return statement.all(...values) as unknown as Row[]
  }

  get<Row>(sql: string, ...values: Value[]): Row | undefined {
    return this.prepare(sql).get(...values) as Row | undefined
  }

  /** The number of the row that was inserted. */
  run(sql: string, ...values: Value[]): number {
    const statement = this.prepare(sql)
    // The index has row numbers of its own that are too large, and they are reported whatever the statement is.
    statement.setReadBigInts(true)
    return Number(statement.run(...values).lastInsertRowid)
  }

  /** What `work` returns, tried again for a while when another process is in the way; `work` must bear being run again. */
  async reading<T>(work: () => T, signal?: AbortSignal): Promise<T> {
    const until = performance.now() + this.busyMs
    for (let nap = 1; ; nap = Math.min(2 * nap, LONGEST_NAP_MS)) {
      signal?.throwIfAborted()
      try {
        return work()
      } catch (error) {
        if (!isBusy(error) || performance.now() > until) throw error
      }
      await sleep(nap)
    }
  }

  /** All of `work` or nothing; no other process writes meanwhile. Throws `STORE_FAILED` for a database that was found damaged. */
  async writing<T>(work: () => T, signal?: AbortSignal): Promise<T> {
    if (this.found.length > 0) throw damaged(this.path, this.found)
    return await this.reading(() => {
      const result = this.transaction('BEGIN IMMEDIATE', work)
      this.logged++
      return result
    }, signal)
  }

  /** What several queries of `work` find, all as one moment has it. */
  snapshot<T>(work: () => T): T {
    return this.transaction('BEGIN', work)
  }

  /** Changes whenever another process has written. */
  dataVersion(): number {
    return this.get<{ data_version: number }>('PRAGMA data_version')?.data_version ?? 0
  }

  /** Resolves when what was committed would survive a power loss: it is in the write-ahead log, which is made durable here. */
  async sync(): Promise<void> {
    this.wal ??= openFile(`${this.path}-wal`, 'r')
    try {
      const handle = await this.wal
      await handle.datasync()
      this.writeBack()
    } catch (error) {
      this.wal = undefined
      throw error
    }
  }

  /** What is wrong with the file, by SQLite's own check; empty when nothing is. */
  check(how: 'quick_check' | 'integrity_check'): string[] {
    try {
      return this.tuples<[string]>(`PRAGMA ${how}(${MOST_FAULTS})`).flatMap(([text]) => (text === 'ok' ? [] : text.split('\n')))
    } catch (error) {
      if (isCorrupt(error)) return [(error as Error).message]
      throw error
    }
  }

  async close(): Promise<void> {
    this.inner.close()
    await this.wal?.then(handle => handle.close(), told)
  }

  /** The log has just been made durable, so that this waits for the database file only. */
  private writeBack(): void {
    if (this.logged < WRITTEN_BACK_AFTER || !this.inner.isOpen) return
    this.inner.exec('PRAGMA wal_checkpoint(PASSIVE)')
    this.logged = 0
  }

  private transaction<T>(begin: string, work: () => T): T {
    this.inner.exec(begin)
    try {
      const result = work()
      this.inner.exec('COMMIT')
      return result
    } catch (error) {
      if (this.inner.isTransaction) this.inner.exec('ROLLBACK')
      throw error
    }
  }

  private prepare(sql: string): StatementSync {
    const known = this.statements.get(sql)
    if (known) return known
    const statement = this.inner.prepare(sql)
    this.statements.set(sql, statement)
    return statement
  }

  private version(): number {
    return (this.inner.prepare('PRAGMA user_version').get() as { user_version: number }).user_version
  }

  private async prepareFile(): Promise<void> {
    const found = await this.reading(() => this.version())
    if (found > SCHEMA_VERSION) throw new PersistenceError('SESSION_VERSION', `${this.path} was written by a newer version of dsh (form ${found}, this one knows ${SCHEMA_VERSION}); use that one`)
    if (found !== SCHEMA_VERSION && !MIGRATIONS[found]) throw new PersistenceError('SESSION_VERSION', `${this.path} has the form ${found}, which dsh never wrote`)
    const mode = await this.reading(() => (this.inner.prepare('PRAGMA journal_mode = WAL').get() as { journal_mode: string }).journal_mode)
    if (mode !== 'wal') throw new PersistenceError('STORE_FAILED', `the file system of ${this.path} cannot hold the write-ahead log that SQLite needs; use another folder, or session-persistence-jsonl`)
    this.inner.exec(`PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${MOST_LOGGED_PAGES}; PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF`)
    if (found === SCHEMA_VERSION) return
    if (found !== 0) this.backUp(found)
    await this.writing(() => {
      // Another process may have been first.
      for (let version = this.version(); version < SCHEMA_VERSION; version = this.version()) MIGRATIONS[version]?.(this.inner)
    })
  }

  /** A copy of the database as it is, whole or not at all. */
  private backUp(version: number): void {
    const target = `${this.path}.form-${version}`
    const begun = `${target}.${process.pid}`
    rmSync(begun, { force: true })
    createPrivate(begun)
    this.inner.prepare('VACUUM INTO ?').run(begun)
    const fd = openSync(begun, 'r')
    fdatasyncSync(fd)
    closeSync(fd)
    // Another process may have migrated it meanwhile, and has made the copy then.
    if (this.version() === version) renameSync(begun, target)
    else rmSync(begun)
  }
}

/** What is told when somebody would write to a database that was found damaged. */
function damaged(path: string, faults: readonly string[]): PersistenceError {
  return new PersistenceError('STORE_FAILED', `${path} is damaged (${faults[0] ?? ''}), and nothing is written to it. What can be read is saved by: dsh sessions repair ID, with any session's id`)
}

/**
 * Makes an empty file unless there is one already. An existing database is never
 * opened by hand: closing any descriptor of it drops the locks that SQLite holds
 * on it elsewhere in this process.
 */
export function createPrivate(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', 0o600))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Takes rights from others that somebody gave them. */
function keepPrivate(path: string): void {
  const { mode, uid } = statSync(path)
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) chmodSync(path, 0o600)
}

/** 0 when it is not there. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

function told(): void {
  // Whoever wanted the log durable has been told why it could not be opened.
}
