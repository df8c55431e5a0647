/** Compares a project with what was trusted of it. */

import { join } from 'node:path'
import { TrustError } from './errors.ts'
import { fingerprint, realPathIfThere, type Digests } from './fingerprint.ts'
import { readTrust, type TrustRecord } from './trust-store.ts'

/** What became of one file since. */
export interface Change {
  /** From the project, with slashes. */
  file: string
  what: 'changed' | 'added' | 'removed'
}

export type ProjectState =
  | { kind: 'untrusted' }
  /** Digests by real path: nothing else may run. */
  | { kind: 'trusted'; digests: ReadonlyMap<string, string> }
  | { kind: 'changed'; changes: Change[] }
  /** It cannot be told, so nothing is trusted; a sentence. */
  | { kind: 'unknown'; problem: string }

/** The state of a project, whose path is without links, at this moment. Never throws for what is wrong with the record or the project. */
export function judgeProject(project: string, trustFile: string): ProjectState {
  try {
    const records = readTrust(trustFile)
    const record = Object.hasOwn(records, project) ? records[project] : undefined
    return record === undefined ? { kind: 'untrusted' } : judgeRecord(project, record)
  } catch (error) {
    if (!(error instanceof TrustError) && (error as NodeJS.ErrnoException).code === undefined) throw error
    return { kind: 'unknown', problem: (error as Error).message }
  }
}

/** Against one record. Throws what reading the project throws. */
export function judgeRecord(project: string, { files }: TrustRecord): ProjectState {
  const now = fingerprint(project, Object.keys(files).map(name => join(project, name)))
  const changes = compare(files, now)
  if (changes.length > 0) return { kind: 'changed', changes }
  const digests = Object.entries(now).flatMap(([name, digest]) => {
    const path = realPathIfThere(join(project, name))
    return digest === null || path === undefined ? [] : [[path, digest] as const]
  })
  return { kind: 'trusted', digests: new Map(digests) }
}

/** `.dsh/a changed, .dsh/b added`; a few of them. Pure. */
export function describeChanges(changes: readonly Change[], most = 5): string {
  const shown = changes.slice(0, most).map(({ file, what }) => `${file} ${what}`)
  return changes.length > most ? `${shown.join(', ')} and ${changes.length - most} more` : shown.join(', ')
}

function compare(before: Digests, now: Digests): Change[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].toSorted().flatMap((file): Change[] => {
    const [old = null, current = null] = [before[file], now[file]]
    if (old === current) return []
    return [{ file, what: old === null ? 'added' : current === null ? 'removed' : 'changed' }]
  })
}
