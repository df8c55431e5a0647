/**
 * What a list shows of a session, kept beside its log so that listing reads no
 * logs. Never the authority: it counts only for exactly the file that it was
 * made from, by size, time and identity, and is made anew when it does not.
 *
 *     {"size":…,"mtimeMs":…,"ino":…,"header":{…},"totals":{…},"damage":[…]}
 */

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { newNonce, type FileStamp } from '@deepseek-ai/dsh-append-file'
import type { SessionHeader, SessionId } from '@deepseek-ai/dsh-session'
import { SummaryFold, type Damage } from '@deepseek-ai/dsh-session-persistence'
import { isHeader } from './lines.ts'

export interface Meta extends FileStamp {
  header: SessionHeader
  fold: SummaryFold
  damage: Damage[]
}

/** Undefined when there is none for this state of the file of session `id`. */
export function readMeta(path: string, id: SessionId, stamp: FileStamp): Meta | undefined {
  try {
    const value = JSON.parse(readFileSync(path, 'utf8')) as FileStamp & { header: unknown; totals: unknown; damage?: unknown }
    if (value.size !== stamp.size || value.mtimeMs !== stamp.mtimeMs || value.ino !== stamp.ino) return undefined
    const { header, damage = [] } = value
    if (!isHeader(header) || header.id !== id || !isDamage(damage)) return undefined
    return { ...stamp, header, fold: SummaryFold.fromJSON(header, value.totals), damage }
  } catch (error) {
    // Missing, torn or of another shape: it is made anew.
    if (error instanceof SyntaxError || error instanceof TypeError || (error as NodeJS.ErrnoException).code !== undefined) return undefined
    throw error
  }
}

function isDamage(value: unknown): value is Damage[] {
  return Array.isArray(value) && value.every(each => typeof each?.kind === 'string' && typeof each.message === 'string')
}

/** Replaces it whole. Throws as the file system does; a list can do without. */
export function writeMeta(path: string, { header, fold, damage, size, mtimeMs, ino }: Meta): void {
  const temporary = `${path}.${newNonce()}`
  try {
    writeFileSync(temporary, JSON.stringify({ size, mtimeMs, ino, header, totals: fold.toJSON(), ...(damage.length > 0 && { damage }) }), { mode: 0o600, flag: 'wx' })
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
