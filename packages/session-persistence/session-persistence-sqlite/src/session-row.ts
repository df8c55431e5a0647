/** What the row of a session says: its header, its summary, and who writes to it. */

import { realpathSync } from 'node:fs'
import type { SessionHeader, SessionId } from '@deepseek-ai/dsh-session'
import { describeHolder, isAlive, isStoredLease, PersistenceError, SummaryFold, upcast, type LeaseHolder, type SessionSummary, type StoredLease } from '@deepseek-ai/dsh-session-persistence'
import type { Database } from './database.ts'

export interface SessionRow {
  key: number
  id: string
  header: string
  bytes: number
  totals: string
  lease: string | null
}

export const SESSION_COLUMNS = 'key, id, header, bytes, totals, lease'

/** Throws `SESSION_NOT_FOUND`. */
export function rowOf(database: Database, id: SessionId): SessionRow {
  const row = database.get<SessionRow>(`SELECT ${SESSION_COLUMNS} FROM sessions WHERE id = ?`, id)
  if (!row) throw notFound(id)
  return row
}

export function notFound(id: string): PersistenceError {
  return new PersistenceError('SESSION_NOT_FOUND', `there is no session ${JSON.stringify(id.slice(0, 80))}`)
}

/** Throws `SESSION_DAMAGED`. */
export function headerOf({ id, header }: SessionRow): SessionHeader {
  const value = parse(header) as Record<string, unknown> | null | undefined
  const isHeader = typeof value === 'object' && value !== null && value['id'] === id && typeof value['version'] === 'number' && typeof value['createdAt'] === 'number' && (value['cwd'] === undefined || typeof value['cwd'] === 'string')
  if (!isHeader) throw new PersistenceError('SESSION_DAMAGED', `the session ${id} has no readable header; its rows are untouched`)
  return value as unknown as SessionHeader
}

/** A row that cannot be read is listed with what is known of it. */
export function summarize(row: SessionRow): SessionSummary {
  const holder = livingHolder(row.lease)
  const inUseBy = holder && { inUseBy: holder }
  try {
    const { header } = upcast({ header: headerOf(row), events: [] })
    return { ...foldOf(header, row).summary(row.bytes), ...inUseBy }
  } catch (error) {
    if (!(error instanceof PersistenceError)) throw error
    const { code, message } = error
    return { ...new SummaryFold({ version: 1, id: row.id, createdAt: 0 }).summary(row.bytes), damage: [{ kind: code === 'SESSION_VERSION' ? 'version' : 'header', message }], ...inUseBy }
  }
}

/** Takes the session for `lease`. Within a transaction, so that of two takers one finds the other. Throws `SESSION_IN_USE`. */
export function takeLease(database: Database, id: SessionId, lease: StoredLease): void {
  const holder = parseLease(rowOf(database, id).lease)
  const state = holder ? isAlive(holder) : 'dead'
  if (holder && state !== 'dead') {
    const advice = state === 'unknown' ? '; if that process is gone, clear the column "lease" of its row' : ''
    throw new PersistenceError('SESSION_IN_USE', `the session ${id} is in use by ${describeHolder(holder)}${advice}`, { holder: publicHolder(holder) })
  }
  database.run('UPDATE sessions SET lease = ? WHERE id = ?', JSON.stringify(lease), id)
}

/** Gives the session back, if it is still held by `lease`. */
export function dropLease(database: Database, id: SessionId, lease: StoredLease): void {
  database.run('UPDATE sessions SET lease = NULL WHERE id = ? AND lease = ?', id, JSON.stringify(lease))
}

/** Who holds the session and may still be alive. */
export function livingHolder(text: string | null): LeaseHolder | undefined {
  const lease = parseLease(text)
  return lease && isAlive(lease) !== 'dead' ? publicHolder(lease) : undefined
}

/** Where `cwd` leads to; itself when it is not there any more. */
export function realPath(cwd: string): string {
  try {
    return realpathSync(cwd)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) return cwd
    throw error
  }
}

function foldOf(header: SessionHeader, { id, totals }: SessionRow): SummaryFold {
  try {
    return SummaryFold.fromJSON(header, JSON.parse(totals))
  } catch (error) {
    throw new PersistenceError('SESSION_DAMAGED', `the session ${id} has no readable totals; they are made anew when it is opened`, { cause: error })
  }
}

/** It is stored in one transaction: what cannot be read is nobody's. */
function parseLease(text: string | null): StoredLease | undefined {
  const value = text === null ? undefined : parse(text)
  return isStoredLease(value) ? value : undefined
}

function publicHolder({ pid, host, since }: StoredLease): LeaseHolder {
  return { pid, host, since }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
