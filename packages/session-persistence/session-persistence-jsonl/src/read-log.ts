/** Reads one log: its longest valid prefix, and what is wrong with it. Writes nothing. */

import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import type { SessionEvent, SessionHeader, SessionId } from '@deepseek-ai/dsh-session'
import { EventPrefix, PersistenceError, storedSession, SummaryFold, upcastLog, type Damage, type StoredParts, type StoredSession } from '@deepseek-ai/dsh-session-persistence'
import { asFailure } from './failures.ts'
import { offsetOf, parseHeader, scanLines, tornFrom } from './lines.ts'
import { inFlight, type InFlight, type Journal } from './read-journal.ts'

const LF = 0x0a

export interface ReadLog {
  stored: StoredSession & StoredParts
  fold: SummaryFold
  /** The bytes that are usable; what stands behind them is damaged. */
  validBytes: number
  bytes: Buffer
  /** Identity of the file that was read. */
  ino: number
  /** What the journal adds; nothing without one. */
  flight?: InFlight
}

/** The log, and behind it what a `journal` that was read before adds. Throws `SESSION_NOT_FOUND`, `SESSION_DAMAGED` when there is no usable header, `SESSION_VERSION`, `STORE_FAILED`. */
export async function readLog(path: string, id: SessionId, journal?: Journal): Promise<ReadLog> {
  const { bytes, ino } = await readWhole(path, id)
  const headerEnd = bytes.indexOf(LF)
  const header = headerOf(bytes, headerEnd, id)
  const { prefix, rest, torn } = readPrefix(bytes, headerEnd + 1)
  const { log } = prefix
  const damage = prefix.damage()
  const validBytes = rest ?? torn ?? bytes.length
  const flight = journal && inFlight(journal, log.length)
  const all: Damage[] = [...damage, ...(rest === undefined && torn !== undefined ? [tornTail(bytes.length - torn, log.length)] : []), ...(flight?.damage ?? [])]
  for (const event of flight?.events ?? []) log.push(event)
  const form = upcastLog(header, log)
  const fold = new SummaryFold(form.header)
  fold.advanceAll(form.log)
  const summary = { ...fold.summary(bytes.length + (journal?.bytes.length ?? 0)), ...(all.length > 0 && { damage: all }) }
  return { stored: storedSession({ ...form, damage: all, summary }), fold, validBytes, bytes, ino, ...(flight && { flight }) }
}

/** Events before number `until`, fewer when there are fewer; what follows them is not looked at. Throws like `readLog`. */
export async function readEvents(path: string, id: SessionId, { until, journal }: { until: number; journal: Journal }): Promise<SessionEvent[]> {
  const { bytes } = await readWhole(path, id)
  const headerEnd = bytes.indexOf(LF)
  const header = headerOf(bytes, headerEnd, id)
  const { log } = readPrefix(bytes, headerEnd + 1, until).prefix
  if (log.length < until) for (const event of inFlight(journal, log.length).events) log.push(event)
  return upcastLog(header, log).log.events.slice(0, Math.max(0, until))
}

/** Where what cannot be used begins, `rest`, and where a last line begins that has no end, `torn`. */
function readPrefix(bytes: Buffer, start: number, until = Infinity): { prefix: EventPrefix; rest?: number; torn?: number } {
  const prefix = new EventPrefix('line')
  let broken: number | undefined
  // The header is line 1.
  scanLines(bytes, start, (value, line) => {
    if (!prefix.add(value, line + 2)) broken ??= line
    return prefix.log.length < until
  })
  const torn = tornFrom(bytes, start)
  return { prefix, ...(broken !== undefined && { rest: offsetOf(bytes, start, broken) }), ...(torn !== undefined && { torn }) }
}

async function readWhole(path: string, id: SessionId): Promise<{ bytes: Buffer; ino: number }> {
  try {
    // Not waiting: a pipe would keep everybody until somebody writes to it.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const found = fstatSync(fd)
      if (!found.isFile()) throw new PersistenceError('STORE_FAILED', `cannot read the session ${id}: ${path} is no file`)
      // At once: parsing takes longer than reading, and a thread would read it in small pieces.
      return { bytes: readFileSync(fd), ino: found.ino }
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new PersistenceError('SESSION_NOT_FOUND', `there is no session ${id}`, { cause: error })
    throw asFailure(error, `read the session ${id}`)
  }
}

function headerOf(bytes: Buffer, end: number, id: SessionId): SessionHeader {
  const header = end < 0 ? undefined : parseHeader(bytes.toString('utf8', 0, end))
  if (!header) throw new PersistenceError('SESSION_DAMAGED', `the session ${id} has no readable header in line 1; what its file holds is untouched`)
  if (header.id !== id) throw new PersistenceError('SESSION_DAMAGED', `the file of session ${id} holds the session ${header.id}: it was copied or renamed`)
  return header
}

function tornTail(bytes: number, seq: number): Damage {
  return { kind: 'torn-tail', message: `the last ${bytes} bytes were cut off in the middle of a record, as by a crash`, seq }
}
