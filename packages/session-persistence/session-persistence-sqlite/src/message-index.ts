/**
 * Which words occur in which message. Words are told apart here and not by the
 * tokenizer of SQLite, which takes a Chinese sentence for one word.
 */

import type { DatabaseSync } from 'node:sqlite'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { messageText } from '@deepseek-ai/dsh-session-persistence'

/** Of one message, in UTF-16 units: what a tool printed behind it is not found by its words. */
export const MOST_INDEXED = 1_000_000

/** Scripts that write words without blanks between them: every character counts as a word. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`
const WORD = new RegExp(String.raw`[${UNSPACED}]|[[\p{L}\p{N}\p{M}]--[${UNSPACED}]]+`, 'gv')

/** Events that bear a message. */
export const MESSAGE_TYPES = "('user/message', 'steering/message', 'assistant/message', 'tool/result')"

export const INSERT_WORDS = 'INSERT INTO messages (rowid, words) VALUES (?, ?)'

/** What the index holds of an event; undefined when it has no words. */
export function wordsOf(event: SessionEvent): string | undefined {
  const words = new Set(partsOf(messageText(event)?.slice(0, MOST_INDEXED) ?? ''))
  return words.size === 0 ? undefined : [...words].join(' ')
}

/** The query for messages in which every part of `text` begins a word; undefined when it has none, as with `->`. */
export function matchOf(text: string): string | undefined {
  const parts = new Set(partsOf(text))
  return parts.size === 0 ? undefined : [...parts].map(part => `"${part}"*`).join(' ')
}

/** Enters the messages of all events; the index is empty. A row that cannot be read has none. */
export function indexMessages(database: DatabaseSync): void {
  const insert = database.prepare(INSERT_WORDS)
  // The index reports row numbers of its own, which are too large.
  insert.setReadBigInts(true)
  const rows = database.prepare(`SELECT key, type, data FROM events WHERE n = 1 AND type IN ${MESSAGE_TYPES} AND json_valid(data)`)
  for (const row of rows.iterate() as Iterable<{ key: number; type: string; data: string }>) {
    const words = wordsIn(row)
    if (words !== undefined) insert.run(row.key, words)
  }
}

/** A message of another shape has no words. */
function wordsIn({ type, data }: { type: string; data: string }): string | undefined {
  const parsed = JSON.parse(data) as { content?: unknown } | null
  return Array.isArray(parsed?.content) ? wordsOf({ type, data: parsed, seq: 0, time: 0 } as unknown as SessionEvent) : undefined
}

function partsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? []
}
