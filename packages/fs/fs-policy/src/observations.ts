/** What each session knows of its files: a fold of what it observed, and of what its log says it observed before. */

import { ABSENT, fromObservationMeta, type FsObservation, type FsRange, type FsTargetKey, type FsVersion } from '@deepseek-ai/dsh-fs'
import type { Session } from '@deepseek-ai/dsh-session'

/** What is known of one file. */
export interface Known {
  version: FsVersion
  /** Every line of it was seen, or written. */
  whole: boolean
  /** Seen parts of this version, apart and ascending; empty when `whole`. */
  ranges: readonly FsRange[]
}

/** Files of one session that are remembered; the longest unobserved is forgotten first. */
const MOST_FILES = 10_000

export class Observations {
  readonly #bySession = new WeakMap<Session, Map<FsTargetKey, Known>>()

  get(session: Session, key: FsTargetKey): Known | undefined {
    return this.#of(session).get(key)
  }

  add(session: Session, key: FsTargetKey, observation: FsObservation): void {
    enter(this.#of(session), key, observation)
  }

  /** The log is read once, when the session is first asked about: that is how knowledge survives a resume, a fork and a reload of this plugin. */
  #of(session: Session): Map<FsTargetKey, Known> {
    const known = this.#bySession.get(session)
    if (known) return known
    const files = new Map<FsTargetKey, Known>()
    for (const event of session.settledEvents) {
      const stored = event.type === 'tool/result' ? fromObservationMeta(event.data.meta) : undefined
      if (stored) enter(files, stored.key, stored.observation)
    }
    this.#bySession.set(session, files)
    return files
  }
}

function enter(files: Map<FsTargetKey, Known>, key: FsTargetKey, observation: FsObservation): void {
  const known = observe(files.get(key), observation)
  files.delete(key)
  files.set(key, known)
  if (files.size <= MOST_FILES) return
  const [oldest] = files.keys()
  if (oldest !== undefined) files.delete(oldest)
}

/** Pure. Parts of one version add up; those of another are worth nothing. An edit leaves known what was, except where lines are. */
export function observe(before: Known | undefined, { by, version, range }: FsObservation): Known {
  if (by === 'edit') return { version, whole: before?.whole ?? false, ranges: [] }
  if (by === 'write' || !range || version === ABSENT) return { version, whole: true, ranges: [] }
  const same = before?.version === version ? before : undefined
  if (same?.whole) return same
  const ranges = merge([...(same?.ranges ?? []), range])
  const whole = ranges.length === 1 && ranges[0]?.from === 1 && ranges[0].to >= range.total
  return { version, whole, ranges: whole ? [] : ranges }
}

function merge(ranges: readonly FsRange[]): FsRange[] {
  const merged: FsRange[] = []
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last && range.from <= last.to + 1) merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, range.to), total: range.total }
    else merged.push(range)
  }
  return merged
}
