/** One open database: made private, brought to the current form, and used in transactions. */

import { closeSync, fdatasyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { PersistenceError } from '@deepseek-ai/dsh-session-persistence'
import { MIGRATIONS, SCHEMA_VERSION } from './schema.ts'

/** How long a statement waits for another process's transaction. */
const BUSY_MS = 5000

export class Database {
  readonly path: string
  private readonly inner: DatabaseSync
  private readonly statements = new Map<string, StatementSync>()
  /** Of the write-ahead log; undefined until something has to be made durable. */
  private wal: number | undefined

  private constructor(path: string, inner: DatabaseSync) {
    this.path = path
    this.inner = inner
  }

  /** Throws `SESSION_VERSION` for a database of a newer version, which is left as it is. */
  static async open(path: string): Promise<Database> {
    const { DatabaseSync } = await import('node:sqlite')
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    // SQLite gives its side files the mode of the database, so this is made first.
    createPrivate(path)
    const database = new Database(path, new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: BUSY_MS }))
    try {
      database.inner.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
      await database.migrate()
    } catch (error) {
      database.inner.close()
      throw error
    }
    return database
  }

  /** The rows of a query. */
  all<Row>(sql: string, ...values: (string | number | null)[]): Row[] {
    return this.prepare(sql).all(...values) as Row[]
  }

  get<Row>(sql: string, ...values: (string | number | null)[]): Row | undefined {
    return this.prepare(sql).get(...values) as Row | undefined
  }

  run(sql: string, ...values: (string | number | null)[]): void {
    this.prepare(sql).run(...values)
  }

  /** All of `work` or nothing. No other process writes meanwhile. */
  transaction<T>(work: () => T): T {
    this.inner.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.inner.exec('COMMIT')
      return result
    } catch (error) {
      if (this.inner.isTransaction) this.inner.exec('ROLLBACK')
      throw error
    }
  }

  /** Changes whenever another process has written. */
  dataVersion(): number {
    return this.get<{ data_version: number }>('PRAGMA data_version')?.data_version ?? 0
  }

  /** Returns when what was committed would survive a power loss: it is in the write-ahead log, which is made durable here. */
  sync(): void {
    this.wal ??= openSync(`${this.path}-wal`, 'r')
    fdatasyncSync(this.wal)
  }

  /** What is wrong with the file, by SQLite's own check; empty when nothing is. */
  check(): string[] {
    return this.all<{ quick_check: string }>('PRAGMA quick_check(20)').map(row => row.quick_check).filter(text => text !== 'ok')
  }

  close(): void {
    if (this.wal !== undefined) closeSync(this.wal)
    this.inner.close()
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

  private async migrate(): Promise<void> {
    const found = this.version()
    if (found > SCHEMA_VERSION) throw new PersistenceError('SESSION_VERSION', `${this.path} was written by a newer version of dsh (form ${found}, this one knows ${SCHEMA_VERSION}); use that one`)
    if (found > 0 && found < SCHEMA_VERSION) this.backUp(found)
    this.transaction(() => {
      // Another process may have been first.
      for (let version = this.version(); version < SCHEMA_VERSION; version++) {
        this.inner.exec(`${MIGRATIONS[version] ?? ''}; PRAGMA user_version = ${version + 1}`)
      }
    })
  }

  private backUp(version: number): void {
    const copy = `${this.path}.form-${version}`
    if (createPrivate(copy)) this.inner.prepare('VACUUM INTO ?').run(copy)
  }
}

/**
 * Makes an empty file unless there is one already. An existing database is never
 * opened by hand: closing any descriptor of it drops the locks that SQLite holds
 * on it elsewhere in this process.
 */
function createPrivate(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', 0o600))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
