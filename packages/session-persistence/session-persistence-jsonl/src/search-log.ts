/**
 * Looks for words in the messages of one log without building the session:
 * what was streamed is passed over unread, and no more than one line and one
 * block of the file is in memory. Writes nothing.
 */

import { open, type FileHandle } from 'node:fs/promises'
import { SESSION_FORMAT_VERSION, type SessionEvent } from '@deepseek-ai/dsh-session'
import { faultOf, findWords } from '@deepseek-ai/dsh-session-persistence'
import { linesOf, parseHeader, parseLine } from './lines.ts'

const LF = 0x0a
const BLOCK_BYTES = 1024 * 1024

/** How every line of streamed text begins. */
const CHUNK = Buffer.from('{"type":"assistant/chunk"')

export interface SearchScope {
  /** The first event that cannot be used; nothing is found from there on. */
  before: number
}

/** `other-version`: the log has to be upcast before anything in it can be read. Throws as the file system does. */
export type LogMatch = { kind: 'found'; seq: number; excerpt: string } | { kind: 'nothing' } | { kind: 'other-version' }

/** The first message that contains all `words` (lower case). */
export async function searchLog(path: string, words: readonly string[], { before }: SearchScope): Promise<LogMatch> {
  const handle = await open(path, 'r')
  try {
    let isFirst = true
    for await (const block of blocksOf(handle)) {
      const match = searchBlock(block, isFirst, { words, before })
      if (match) return match
      isFirst = false
    }
    return { kind: 'nothing' }
  } finally {
    await handle.close()
  }
}

interface Wanted extends SearchScope {
  words: readonly string[]
}

/** Undefined when looking goes on behind it. */
function searchBlock(block: Buffer, isFirst: boolean, wanted: Wanted): LogMatch | undefined {
  let isHeader = isFirst
  for (const line of linesOf(block)) {
    const match = isHeader ? refusalOf(line) : matchOf(line, wanted)
    if (match) return match
    isHeader = false
  }
  return undefined
}

function refusalOf(header: Buffer): LogMatch | undefined {
  return parseHeader(header.toString('utf8'))?.version === SESSION_FORMAT_VERSION ? undefined : { kind: 'other-version' }
}

function matchOf(line: Buffer, { words, before }: Wanted): LogMatch | undefined {
  if (line.subarray(0, CHUNK.length).equals(CHUNK)) return undefined
  const event = eventOf(line)
  if (!event) return undefined
  if (event.seq >= before) return { kind: 'nothing' }
  const found = findWords([event], words)
  return found && { kind: 'found', ...found }
}

/** Undefined for what folds would trip over. */
function eventOf(line: Buffer): SessionEvent | undefined {
  const value = parseLine(line.toString('utf8')) as SessionEvent | null | undefined
  return faultOf(value, value?.seq ?? 0) === undefined ? (value as SessionEvent) : undefined
}

/** Pieces of the file that end where a line does; what is not ended yet is being written, or was cut off, and left out. */
async function* blocksOf(handle: FileHandle): AsyncIterable<Buffer> {
  const { size } = await handle.stat()
  let begun: Buffer[] = []
  for (let at = 0; at < size; ) {
    const length = Math.min(BLOCK_BYTES, size - at)
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, at)
    if (bytesRead === 0) return
    at += bytesRead
    const block = buffer.subarray(0, bytesRead)
    const end = block.lastIndexOf(LF) + 1
    if (end > 0) {
      yield Buffer.concat([...begun, block.subarray(0, end)])
      begun = []
    }
    begun.push(block.subarray(end))
  }
}
