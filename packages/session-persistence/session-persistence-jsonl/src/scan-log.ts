/**
 * Makes the summary of a sound log without building its events: of most lines
 * only the head is looked at, which this program writes in one order.
 *
 *     {"type":"tool/result","seq":12,"time":1700000000000,"data":{…}…}
 *     {"type":"assistant/chunk","seq":13,"time":1700000000000,"n":40,"data":{…}…}
 *
 * It sees lines that are missing, out of order, blank, or none of ours; what is
 * altered behind the head of a line shows to whoever opens the session. Writes nothing.
 */

import { isUtf8 } from 'node:buffer'
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { SESSION_FORMAT_VERSION, type SessionEvent, type SessionHeader } from '@deepseek-ai/dsh-session'
import { faultOf, isPacked, SummaryFold, unpackChunks } from '@deepseek-ai/dsh-session-persistence'
import { parseHeader, parseLine } from './lines.ts'

const LF = 0x0a
const CLOSING_BRACE = 0x7d

/** Room for the longest head. */
const HEAD_BYTES = 160
const HEAD = /^\{"type":"([^"\\]{1,80})","seq":(\d{1,15}),"time":(-?\d{1,15}),(?:"n":(\d{1,9}),)?"data":\{/

/** What the fold looks into. */
const TOLD: ReadonlySet<string> = new Set(['turn/start', 'user/message', 'session/title', 'assistant/message'])

export interface ScannedLog {
  header: SessionHeader
  fold: SummaryFold
}

/** Undefined where more has to be known: the log is damaged, of another version, or another session's. Throws as the file system does. */
export function scanLog(path: string, id: string): ScannedLog | undefined {
  const bytes = readFile(path)
  if (!bytes || bytes.at(-1) !== LF || bytes.includes(0) || !isUtf8(bytes)) return undefined
  const start = bytes.indexOf(LF) + 1
  const header = parseHeader(bytes.toString('utf8', 0, start))
  if (header?.id !== id || header.version !== SESSION_FORMAT_VERSION) return undefined
  const fold = new SummaryFold(header)
  for (let at = start; at < bytes.length; ) {
    const end = bytes.indexOf(LF, at)
    const line = bytes.subarray(at, end)
    const isLast = end === bytes.length - 1
    if (!(isLast ? foldLast(fold, line) : foldLine(fold, line))) return undefined
    at = end + 1
  }
  return { header, fold }
}

/** False when the line is not what comes next. */
function foldLine(fold: SummaryFold, line: Buffer): boolean {
  const [, type = '', seq, time, n = '1'] = HEAD.exec(line.toString('latin1', 0, HEAD_BYTES)) ?? []
  if (Number(seq) !== fold.events || line.at(-1) !== CLOSING_BRACE) return false
  if (TOLD.has(type)) return foldEvents(fold, [parseLine(line.toString('utf8'))])
  fold.pass({ next: fold.events + Number(n), time: Number(time) })
  return true
}

/** Nothing behind it says when its last event came. */
function foldLast(fold: SummaryFold, line: Buffer): boolean {
  const value = parseLine(line.toString('utf8'))
  const events = isPacked(value) ? unpackChunks(value) : [value]
  return events !== undefined && foldEvents(fold, events)
}

function foldEvents(fold: SummaryFold, events: readonly unknown[]): boolean {
  for (const event of events) {
    if (faultOf(event, fold.events) !== undefined) return false
    fold.advance(event as SessionEvent)
  }
  return true
}

/** Undefined for what is no file, or is being cut. */
function readFile(path: string): Buffer | undefined {
  // Not waiting: a pipe would keep everybody until somebody writes to it.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const found = fstatSync(fd)
    if (!found.isFile()) return undefined
    const bytes = Buffer.allocUnsafe(found.size)
    for (let at = 0; at < bytes.length; ) {
      const read = readSync(fd, bytes, at, bytes.length - at, at)
      if (read === 0) return undefined
      at += read
    }
    return bytes
  } finally {
    closeSync(fd)
  }
}
