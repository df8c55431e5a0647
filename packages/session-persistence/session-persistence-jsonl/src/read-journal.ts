/**
 * Reads the stream in flight beside a log. Writes nothing.
 *
 * Read it before the log: what is moved from one to the other meanwhile is then
 * met in both, and never in none.
 */

import { isUtf8 } from 'node:buffer'
import { lstatSync, readFileSync } from 'node:fs'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { RunReader, type Damage } from '@deepseek-ai/dsh-session-persistence'
import { asFailure } from './failures.ts'
import { parseLine } from './lines.ts'

const LF = 0x0a

/** What stands there is not for this process to read; anything else is a failure of the store, and may pass. */
const UNREADABLE: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'ERR_FS_FILE_TOO_LARGE'])

export interface Journal {
  /** Contiguous; the log may have some of them, or all. */
  events: SessionEvent[]
  /** What the events take up; behind it is a line that was cut, or what cannot be used. */
  validBytes: number
  /** Which line cannot be used; undefined when all can. */
  fault?: string
  bytes: Buffer
  /** Identity of the file; undefined when there is none. */
  ino?: number
  /** Why what stands in its place cannot be read. */
  blocked?: string
}

/** Empty where there is no such file, or none that can be read. Throws `STORE_FAILED`. */
export function readJournal(path: string): Journal {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found?.isFile()) return { ...parse(readFileSync(path)), ino: found.ino }
    return found ? { ...noJournal(), blocked: `${path} is no file` } : noJournal()
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (UNREADABLE.has(code)) return { ...noJournal(), blocked: message }
    if (code !== 'ENOENT') throw asFailure(error, `read ${path}`)
  }
  return noJournal()
}

/** What is read where there is no file. */
export function noJournal(): Journal {
  return { events: [], validBytes: 0, bytes: Buffer.alloc(0) }
}

/** What the journal says beyond its log. */
export interface InFlight {
  events: SessionEvent[]
  /** What has to be kept aside before the journal is written to. */
  unusable: Buffer
  damage: Damage[]
}

/** `next` is the number that comes behind the log: what the log has counts there. */
export function inFlight({ events, validBytes, fault, bytes, blocked }: Journal, next: number): InFlight {
  if (blocked !== undefined) return { events: [], unusable: bytes, damage: [{ kind: 'hole', message: `the stream in flight cannot be read: ${blocked}`, seq: next }] }
  const first = events[0]?.seq ?? next
  const hole = first > next ? `begins with event ${first} where ${next} belongs` : fault
  if (hole === undefined) return { events: events.slice(next - first), unusable: bytes.subarray(bytes.length), damage: [] }
  const sound = first > next ? [] : events.slice(next - first)
  return { events: sound, unusable: bytes.subarray(first > next ? 0 : validBytes), damage: [{ kind: 'hole', message: `the stream in flight ${hole}; what it holds from there on cannot be used`, seq: next + sound.length }] }
}

function parse(bytes: Buffer): Omit<Journal, 'ino'> {
  const reader = new RunReader()
  const events: SessionEvent[] = []
  let at = 0
  for (let number = 1, end = bytes.indexOf(LF); end >= 0; number++, end = bytes.indexOf(LF, at)) {
    const line = bytes.subarray(at, end)
    const taken = isUtf8(line) ? reader.take(parseLine(line.toString('utf8'))) : undefined
    if (!taken) return { events, validBytes: at, fault: `cannot be read in line ${number}`, bytes }
    events.push(...taken)
    at = end + 1
  }
  return { events, validBytes: at, bytes }
}
