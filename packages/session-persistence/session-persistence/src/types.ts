/** The vocabulary of stored sessions. Types only. Stable: third parties read sessions through it. */

import type { LeaseHolder } from '@deepseek-ai/dsh-lease'
import type { Cost } from '@deepseek-ai/dsh-llm'
import type { EventLog, SessionEvent, SessionHeader, SessionId } from '@deepseek-ai/dsh-session'

/**
 * Something that is wrong with what is stored, in words and for programs.
 * `torn-tail`: the last record was cut by a crash; nothing that was announced
 * 50 ms before is missing. `hole`: a record in the middle is unreadable or out
 * of order; what follows it is kept aside. `duplicate`: a record stands there
 * twice and counts once. `header`: the header cannot be read. `version`: written
 * by a version that this one does not know. `unreadable`: the operating system
 * refused.
 */
export type DamageKind = 'torn-tail' | 'hole' | 'duplicate' | 'header' | 'version' | 'unreadable'

export interface Damage {
  kind: DamageKind
  /** A sentence with the place: a line, a row, a file. */
  message: string
  /** The first event that is affected. */
  seq?: number
  /** Where what could not be used is kept, or will be once the session is opened for writing. */
  keptAside?: string
}

/** The longest valid prefix of what is stored. */
export interface StoredSession {
  header: SessionHeader
  /** Contiguous from 0. Types that this version does not know are kept as they are. */
  readonly events: readonly SessionEvent[]
  /** The same events where the store reads them so that they are built when they are looked at: `events` is built on its first reading then. */
  log?: EventLog
  /** Empty when everything is sound. */
  damage: Damage[]
  /** What can be found in the events without folding them all again. */
  summary: SessionSummary
}

/** What a list shows. It never costs reading whole logs. */
export interface SessionSummary {
  id: SessionId
  createdAt: number
  cwd?: string
  parentSession?: SessionId
  title: string
  /** Epoch milliseconds of the last event. */
  lastActivity: number
  events: number
  turns: number
  /** Bytes on disk. */
  bytes: number
  /** In the currency of the prices that were known; undefined where none was. */
  cost?: Cost
  inputTokens: number
  outputTokens: number
  /** Models that answered, in order of first appearance. */
  models: string[]
  /** Present when it is not sound; an unreadable session is listed with what is known of it. */
  damage?: Damage[]
  /** Who is writing to it now. */
  inUseBy?: LeaseHolder
}

export interface ListOptions {
  /** Only sessions of this directory, by real path. */
  cwd?: string
  /** At most so many, the latest first. Default all. */
  limit?: number
}

export interface SearchHit {
  summary: SessionSummary
  seq: number
  /** The text around the match, one line. */
  excerpt: string
}

/** What `repair` did. */
export interface RepairReport {
  id: SessionId
  damage: Damage[]
  /** Events that are usable now. */
  events: number
  /** Files with what was taken out; nothing is ever thrown away. */
  keptAside: string[]
}
