/**
 * What a list shows of a session, kept beside its log so that listing reads no
 * logs. Never the authority: it counts only for exactly the file that it was
 * made from, by size, time and identity, and is made anew when it does not.
 *
 *     {"size":…,"mtimeMs":…,"ino":…,"header":{…},"totals":{…},"damage":[…]}
 */

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { newNonce, type FileStamp } from '@deepseek-ai/dsh-append-file'
import type { SessionHeader } from '@deepseek-ai/dsh-session'
import { SummaryFold, type Damage } from '@deepseek-ai/dsh-session-persistence'

export interface Meta extends FileStamp {
  header: SessionHeader
  fold: SummaryFold
  damage: Damage[]
}

/** Undefined when there is none for this state of the file. */
export function readMeta(path: string, stamp: FileStamp): Meta | undefined {
  try {
    const value = JSON.parse(readFileSync(path, 'utf8')) as FileStamp & { header: SessionHeader; totals: unknown; damage?: Damage[] }
    if (value.size !== stamp.size || value.mtimeMs !== stamp.mtimeMs || value.ino !== stamp.ino) return undefined
    return { ...stamp, header: value.header, fold: SummaryFold.fromJSON(value.header, value.totals), damage: value.damage ?? [] }
  } catch (error) {
    // Missing, torn or of another shape: it is made anew.
    if (error instanceof SyntaxError || error instanceof TypeError || (error as NodeJS.ErrnoException).code !== undefined) return undefined
    throw error
  }
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
