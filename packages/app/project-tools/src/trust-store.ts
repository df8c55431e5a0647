/**
 * The record of what is trusted, outside of every project.
 *
 *   { "version": 1, "projects": { "/real/path": { "trustedAt": "2026-01-31T12:00:00.000Z", "files": { ".dsh/settings.yml": "<sha-256>" } } } }
 */

import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { TrustError } from './errors.ts'
import type { Digests } from './fingerprint.ts'

export interface TrustRecord {
  /** ISO 8601. */
  trustedAt: string
  files: Digests
}

/** By the real path of the project. */
export type TrustRecords = Readonly<Record<string, TrustRecord>>

const VERSION = 1
const LOCK_WAIT_MS = 3000
const LOCK_STALE_MS = 10_000
const LOCK_POLL_MS = 25

/** Everything that is trusted; nothing when there is no record. Throws `RECORD_DAMAGED`. */
export function readTrust(file: string): TrustRecords {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return {}
    throw damaged(file, message)
  }
  return check(file, parse(file, text))
}

/** Changes the record as one step, however many processes do so. Throws `RECORD_DAMAGED`, `RECORD_LOCKED`, and what the disk says. */
export async function changeTrust(file: string, change: (records: TrustRecords) => TrustRecords): Promise<void> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const lock = `${file}.lock`
  await takeLock(lock)
  try {
    write(file, `${JSON.stringify({ version: VERSION, projects: change(readTrust(file)) }, null, 2)}\n`)
  } finally {
    rmSync(lock, { force: true })
  }
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw damaged(file, (error as SyntaxError).message)
  }
}

function check(file: string, value: unknown): TrustRecords {
  const { version, projects } = (value ?? {}) as { version?: unknown; projects?: unknown }
  if (version !== VERSION) throw damaged(file, typeof version === 'number' ? `its version is ${version}, and this dsh knows ${VERSION}` : 'it is no record of trust')
  if (!isMap(projects) || !Object.values(projects).every(isRecord)) throw damaged(file, 'it is no record of trust')
  return projects as TrustRecords
}

function isRecord(value: unknown): value is TrustRecord {
  return isMap(value) && typeof value['trustedAt'] === 'string' && isMap(value['files']) && Object.values(value['files']).every(digest => digest === null || typeof digest === 'string')
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function damaged(file: string, why: string): TrustError {
  return new TrustError('RECORD_DAMAGED', `${file} cannot be read (${why}), so that nothing is trusted; mend or remove it`)
}

/** A reader sees the old record or the new one, whole. */
function write(file: string, text: string): void {
  const part = `${file}.${randomUUID()}.part`
  const descriptor = openSync(part, 'wx', 0o600)
  try {
    writeSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(part, file)
}

async function takeLock(lock: string): Promise<void> {
  const end = performance.now() + LOCK_WAIT_MS
  while (!tryLock(lock)) {
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    if (age > LOCK_STALE_MS) rmSync(lock, { force: true })
    else if (performance.now() > end) throw new TrustError('RECORD_LOCKED', `another process is changing what is trusted; if there is none, remove ${lock}`)
    else await sleep(LOCK_POLL_MS)
  }
}

function tryLock(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx', 0o600))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
