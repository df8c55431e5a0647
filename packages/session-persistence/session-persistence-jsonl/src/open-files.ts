/** Opens the files of a session for writing, by its lease holder: what cannot be used is kept aside, then cut off. */

import { join } from 'node:path'
import { AppendFile } from '@deepseek-ai/dsh-append-file'
import { storedSession, type StoredParts, type StoredSession } from '@deepseek-ai/dsh-session-persistence'
import { LOG, STREAM } from './layout.ts'
import { moveAside, putAside } from './put-aside.ts'
import type { Journal } from './read-journal.ts'
import type { ReadLog } from './read-log.ts'
import type { SessionFile } from './session-files.ts'
import { StreamJournal } from './stream-journal.ts'

export interface OpenFiles {
  log: AppendFile
  /** Has what was left of it pending. */
  journal: StreamJournal
  /** As it was read, with where things were put. */
  stored: StoredSession & StoredParts
}

/** `read` and `left` are what the files were found to hold. Throws `SESSION_CHANGED` when they are others now, and as the file system does. */
export async function openFiles(file: SessionFile, read: ReadLog, left: Journal): Promise<OpenFiles> {
  const { stored, flight } = read
  const { log, keptAside } = await openLog(file, read)
  try {
    const { journal, keptAside: journalAside } = await openJournal(file, read, left)
    const damage = stored.damage.map(each => {
      const where = flight?.damage.includes(each) ? journalAside : each.kind === 'duplicate' ? undefined : keptAside
      return where === undefined ? each : { ...each, keptAside: where }
    })
    return { log, journal, stored: damage.length > 0 ? storedSession({ header: stored.header, log: stored.log, damage, summary: { ...stored.summary, damage } }) : stored }
  } catch (error) {
    log.close()
    throw error
  }
}

async function openLog({ id, folder }: SessionFile, { bytes, validBytes, ino }: ReadLog): Promise<{ log: AppendFile; keptAside: string | undefined }> {
  const keptAside = await keep({ id, folder }, bytes.subarray(validBytes))
  return { log: AppendFile.open(join(folder, id + LOG), { ino, size: bytes.length, length: validBytes }), keptAside }
}

/** A journal of which the log has everything is emptied. */
async function openJournal({ id, folder }: SessionFile, { flight }: ReadLog, { bytes, validBytes, ino, blocked }: Journal): Promise<{ journal: StreamJournal; keptAside: string | undefined }> {
  const path = join(folder, id + STREAM)
  if (blocked !== undefined) return { journal: new StreamJournal(path), keptAside: moveAside(folder, id, path) }
  const keptAside = await keep({ id, folder }, flight?.unusable)
  const pending = flight?.events ?? []
  const file = ino === undefined ? undefined : AppendFile.open(path, { ino, size: bytes.length, length: pending.length > 0 ? validBytes : 0 })
  return { journal: new StreamJournal(path, file, pending), keptAside }
}

async function keep({ id, folder }: SessionFile, bytes: Buffer | undefined): Promise<string | undefined> {
  return bytes && bytes.length > 0 ? await putAside(folder, id, bytes) : undefined
}
