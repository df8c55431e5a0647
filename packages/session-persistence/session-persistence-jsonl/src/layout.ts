/**
 * Where sessions lie. Pure.
 *
 *     <root>/sessions/<slug>-<8 hex>/<session id>.jsonl          the log
 *                                    <session id>.stream.jsonl   the stream in flight; empty or absent when there is none
 *                                    <session id>.lock           who writes to it
 *                                    <session id>.meta.json      what a list shows of it; may be missing or stale
 *                                    <session id>.damaged-1.jsonl what could not be used
 *
 * The slug is the name of the project's folder, the digits are of its real
 * path; sessions without a directory lie in `no-project`.
 */

import { join } from 'node:path'
import { PersistenceError } from '@deepseek-ai/dsh-session-persistence'
import type { SessionId } from '@deepseek-ai/dsh-session'

export const LOG = '.jsonl'
export const STREAM = '.stream.jsonl'
export const LOCK = '.lock'
export const META = '.meta.json'

/** What an id may look like, so that it can never leave its folder. */
const SAFE_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/

/** Ids that are no names of logs: side files end in these. */
const RESERVED = /\.(?:lock|meta|stream|damaged-\d+)$/i

export function isSafeId(id: string): boolean {
  return SAFE_ID.test(id) && !RESERVED.test(id)
}

/** Throws `SESSION_NOT_FOUND`: what cannot be an id names no session. */
export function assertSafeId(id: string): void {
  if (!isSafeId(id)) throw new PersistenceError('SESSION_NOT_FOUND', `there is no session ${JSON.stringify(id.slice(0, 80))}`)
}

export function sessionsFolder(root: string): string {
  return join(root, 'sessions')
}

/** The id that the name of a log says; undefined for other files. */
export function idOf(file: string): SessionId | undefined {
  if (!file.endsWith(LOG)) return undefined
  const id = file.slice(0, -LOG.length)
  return isSafeId(id) ? id : undefined
}
