/**
 * The stream in flight of one session, as its writer keeps it: in memory and in
 * a file beside the log, until there is enough of it for a line of the log.
 *
 * Whoever empties it has written to the log first what it holds; so what is in
 * both is in the log, and losing the emptying loses nothing.
 */

import { rmSync } from 'node:fs'
import { AppendFile } from '@deepseek-ai/dsh-append-file'
import { growRun, isRun } from '@deepseek-ai/dsh-session-persistence'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { toLine } from './lines.ts'

/** A line of the log has about 150 bytes beside its text, so this much text makes that little; more would be read anew with every look. */
const ENOUGH = 1536

/** What a delta takes up beside its text: its length and its time. */
const DELTA_BYTES = 2

export class StreamJournal {
  private readonly path: string
  private file: AppendFile | undefined
  private run: SessionEvent[]
  private size: number

  /** `file` and `run` are what was left of it. */
  constructor(path: string, file?: AppendFile, run: readonly SessionEvent[] = []) {
    this.path = path
    this.file = file
    this.run = [...run]
    this.size = sizeOf(run)
  }

  /** What the log does not have yet. */
  get pending(): readonly SessionEvent[] {
    return this.run
  }

  /** Whether `events` go on with what is pending, and all of it is still too little for the log. */
  takes(events: readonly SessionEvent[]): boolean {
    return events.length > 0 && this.size + events.length * DELTA_BYTES < ENOUGH && this.size + sizeOf(events) < ENOUGH && isRun([...this.run.slice(-1), ...events])
  }

  /** All of it or nothing. Throws `SESSION_CHANGED`, and as the file system does. */
  append(events: readonly SessionEvent[]): void {
    this.file ??= AppendFile.openNew(this.path)
    this.file.append(growRun(events, this.run.at(-1)).map(toLine).join(''))
    this.run.push(...events)
    this.size += sizeOf(events)
  }

  /** Throws `SESSION_CHANGED` when something else wrote to the file. */
  assertUnchanged(): void {
    this.file?.assertUnchanged()
  }

  /** Call it when the log has what is pending. */
  empty(): void {
    this.run = []
    this.size = 0
    this.file?.empty()
  }

  /** A file that says nothing is removed, unless it is no longer this writer's to remove. */
  close(isOurs: boolean): void {
    this.file?.close()
    if (this.file && isOurs && this.run.length === 0) rmSync(this.path, { force: true })
    this.file = undefined
  }
}

function sizeOf(run: readonly SessionEvent[]): number {
  return run.reduce((size, event) => size + DELTA_BYTES + textLength(event), 0)
}

function textLength(event: SessionEvent): number {
  if (event.type !== 'assistant/chunk') return 0
  const { text = '', argumentsDelta = '' } = event.data.chunk as { text?: string; argumentsDelta?: string }
  return text.length + argumentsDelta.length
}
