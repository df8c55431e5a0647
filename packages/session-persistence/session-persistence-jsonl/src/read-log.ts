/** Reads one log: its longest valid prefix, and what is wrong with it. Writes nothing. */

import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { SessionEvent, SessionHeader, SessionId } from '@deepseek-ai/dsh-session'
import { EventPrefix, PersistenceError, SummaryFold, upcast, type Damage, type StoredSession } from '@deepseek-ai/dsh-session-persistence'
import { asFailure } from './failures.ts'
import { offsetOf, parseHeader, scanLines, tornFrom } from './lines.ts'
import { inFlight, type InFlight, type Journal } from './read-journal.ts'

const LF = 0x0a

export interface ReadLog {
  stored: StoredSession
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
  const { events } = prefix
  const damage = prefix.damage()
  const validBytes = rest ?? torn ?? bytes.length
  const flight = journal && inFlight(journal, events.length)
  const all: Damage[] = [...damage, ...(rest === undefined && torn !== undefined ? [tornTail(bytes.length - torn, events.length)] : []), ...(flight?.damage ?? [])]
  events.push(...(flight?.events ?? []))
  const form = upcast({ header, events })
  const fold = new SummaryFold(form.header)
  for (const event of form.events) fold.advance(event)
  const summary = { ...fold.summary(bytes.length + (journal?.bytes.length ?? 0)), ...(all.length > 0 && { damage: all }) }
  return { stored: { ...form, damage: all, summary }, fold, validBytes, bytes, ino, ...(flight && { flight }) }
}

/** Events before number `until`, fewer when there are fewer; what follows them is not looked at. Throws like `readLog`. */
export async function readEvents(path: string, id: SessionId, { until, journal }: { until: number; journal: Journal }): Promise<SessionEvent[]> {
  const { bytes } = await readWhole(path, id)
  const headerEnd = bytes.indexOf(LF)
  const header = headerOf(bytes, headerEnd, id)
  const { events } = readPrefix(bytes, headerEnd + 1, until).prefix
  if (events.length < until) events.push(...inFlight(journal, events.length).events)
  return upcast({ header, events }).events.slice(0, Math.max(0, until))
}

/** Where what cannot be used begins, `rest`, and where a last line begins that has no end, `torn`. */
function readPrefix(bytes: Buffer, start: number, until = Infinity): { prefix: EventPrefix; rest?: number; torn?: number } {
  const prefix = new EventPrefix('line')
  let broken: number | undefined
  // The header is line 1.
  scanLines(bytes, start, (value, line) => {
    if (!prefix.add(value, line + 2)) broken ??= line
    return prefix.events.length < until
  })
  const torn = tornFrom(bytes, start)
  return { prefix, ...(broken !== undefined && { rest: offsetOf(bytes, start, broken) }), ...(torn !== undefined && { torn }) }
}

async function readWhole(path: string, id: SessionId): Promise<{ bytes: Buffer; ino: number }> {
  try {
    // Not waiting: a pipe would keep everybody until somebody writes to it.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const found = await handle.stat()
      if (!found.isFile()) throw new PersistenceError('STORE_FAILED', `cannot read the session ${id}: ${path} is no file`)
      const { ino } = found
      return { bytes: await handle.readFile(), ino }
    } finally {
      await handle.close()
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
