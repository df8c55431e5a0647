/** What a list shows of one session, from the summary beside its log where that still holds. */

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { readHolder } from '@deepseek-ai/dsh-lease'
import { PersistenceError, SummaryFold, upcast, type SessionSummary } from '@deepseek-ai/dsh-session-persistence'
import { LOCK, LOG, META, STREAM } from './layout.ts'
import { readMeta, writeMeta, type Meta } from './meta-file.ts'
import { inFlight, noJournal, readJournal } from './read-journal.ts'
import { readLog } from './read-log.ts'
import { scanLog } from './scan-log.ts'
import type { SessionFile } from './session-files.ts'

/** Undefined when the session has gone meanwhile. One that cannot be read is listed with what is known of it. */
export async function summarize({ id, folder, names }: SessionFile): Promise<SessionSummary | undefined> {
  const path = join(folder, id + LOG)
  // Asking for files that are not there is what a list of many sessions would spend its time on.
  const isThere = (ending: string): boolean => names?.has(id + ending) ?? true
  try {
    const journal = isThere(STREAM) ? readJournal(join(folder, id + STREAM)) : noJournal()
    const { size, mtimeMs, ino } = statSync(path)
    const holder = isThere(LOCK) ? readHolder(join(folder, id + LOCK)) : undefined
    const meta = readMeta(join(folder, id + META), id, { size, mtimeMs, ino }) ?? (await makeMeta(folder, id, holder === undefined))
    // A newer version may have left the summary: what this one would not read, it does not vouch for.
    upcast({ header: meta.header, events: [] })
    const flight = inFlight(journal, meta.fold.events)
    for (const event of flight.events) meta.fold.advance(event)
    const damage = [...meta.damage, ...flight.damage]
    return { ...meta.fold.summary(size + journal.bytes.length), ...(damage.length > 0 && { damage }), ...(holder && { inUseBy: holder }) }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'SESSION_NOT_FOUND' || code === 'ENOENT') return undefined
    if (!(error instanceof PersistenceError) && code === undefined) throw error
    const kind = code === 'SESSION_VERSION' ? 'version' : code === 'SESSION_DAMAGED' ? 'header' : 'unreadable'
    const { size, mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: 0 }
    return { ...new SummaryFold({ version: 1, id, createdAt: mtimeMs }).summary(size), damage: [{ kind, message }] }
  }
}

/** Goes through the whole log once; the summary is kept for the next list unless somebody is writing. */
async function makeMeta(folder: string, id: string, isQuiet: boolean): Promise<Meta> {
  const path = join(folder, id + LOG)
  const { size, mtimeMs, ino } = statSync(path)
  const { header, fold, damage } = scanSound(path, id) ?? (await readDamage(path, id))
  const meta: Meta = { size, mtimeMs, ino, header, fold, damage }
  if (isQuiet) keepMeta(join(folder, id + META), meta)
  return meta
}

function scanSound(path: string, id: string): Pick<Meta, 'header' | 'fold' | 'damage'> | undefined {
  const scanned = scanLog(path, id)
  return scanned && { ...scanned, damage: [] }
}

async function readDamage(path: string, id: string): Promise<Pick<Meta, 'header' | 'fold' | 'damage'>> {
  const { stored, fold } = await readLog(path, id)
  return { header: stored.header, fold, damage: stored.damage }
}

/** A store that cannot be written to can still be listed. */
function keepMeta(path: string, meta: Meta): void {
  try {
    writeMeta(path, meta)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
  }
}
