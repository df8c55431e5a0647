/** Reads a log bit by bit as it grows, every byte once, however long it is, and what is in flight beside it. Writes nothing. */

import { open } from 'node:fs/promises'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { faultOf } from '@deepseek-ai/dsh-session-persistence'
import { readLines, restorer, type Restore } from './lines.ts'
import { inFlight, readJournal } from './read-journal.ts'

const LF = 0x0a

/** More at once than this would only fill memory. */
const MOST_BYTES = 16 * 1024 * 1024

export interface TailPaths {
  log: string
  /** The stream in flight; may be missing. */
  journal: string
}

export class LogTail {
  private readonly paths: TailPaths
  private ino: number | undefined
  /** Where the first line that has not been read begins. */
  private at = 0
  private next = 0
  /** Before this, everything was given: by the journal ahead of the log. */
  private given = 0
  private restore: Restore = restorer()

  constructor(paths: TailPaths) {
    this.paths = paths
  }

  /**
   * The events behind those that it gave before, without holes; it waits before
   * what is unreadable until that is mended. A file that was cut or replaced is
   * read anew from its beginning. Throws as the file system does.
   */
  async read(): Promise<SessionEvent[]> {
    const journal = readJournal(this.paths.journal)
    const logged = await this.readLog()
    const events = [...logged, ...inFlight(journal, this.next).events].filter(({ seq }) => seq >= this.given)
    this.given = Math.max(this.given, this.next, (events.at(-1)?.seq ?? -1) + 1)
    return events
  }

  private async readLog(): Promise<SessionEvent[]> {
    const bytes = await this.readBytes()
    const start = this.at === 0 ? bytes.indexOf(LF) + 1 : 0
    if (this.at === 0 && start === 0) return []
    const { values, offsets, torn } = readLines(bytes, start, this.restore)
    const events: SessionEvent[] = []
    for (const [index, value] of values.entries()) {
      if (faultOf(value, this.next) === undefined) {
        events.push(value as SessionEvent)
        this.next++
      } else if (!this.isKnown(value)) {
        this.at += offsets[index] ?? 0
        return events
      }
    }
    this.at += torn ?? bytes.length
    return events
  }

  private async readBytes(): Promise<Buffer> {
    const handle = await open(this.paths.log, 'r')
    try {
      const { ino, size } = await handle.stat()
      if (ino !== this.ino || size < this.at) this.begin(ino)
      for (let length = Math.min(MOST_BYTES, size - this.at); ; length = Math.min(2 * length, size - this.at)) {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, this.at)
        const bytes = buffer.subarray(0, bytesRead)
        if (bytes.includes(LF) || this.at + length >= size) return bytes
      }
    } finally {
      await handle.close()
    }
  }

  private begin(ino: number): void {
    this.ino = ino
    this.at = this.next = this.given = 0
    this.restore = restorer()
  }

  private isKnown(value: unknown): boolean {
    const seq = (value as { seq?: unknown } | null | undefined)?.seq
    return typeof seq === 'number' && seq < this.next
  }
}
