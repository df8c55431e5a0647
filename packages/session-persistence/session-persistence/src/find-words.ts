/** Finds words in the messages of a session. Pure. */

import { textOf, type ContentBlock } from '@deepseek-ai/dsh-llm'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { clipEnd, stripControls } from '@deepseek-ai/dsh-text'

/** Text on either side of a match, in UTF-16 units. */
const AROUND = 60

/** The first message that contains all `words` (lower case), with the text around the first of them. */
export function findWords(events: readonly SessionEvent[], words: readonly string[]): { seq: number; excerpt: string } | undefined {
  for (const event of events) {
    const text = messageText(event)
    if (text === undefined) continue
    const lower = text.toLowerCase()
    if (words.every(word => lower.includes(word))) return { seq: event.seq, excerpt: excerptOf(text, lower.indexOf(words[0] ?? '')) }
  }
  return undefined
}

/** The text of a message that a human or the model can read; undefined for other events. */
export function messageText(event: SessionEvent): string | undefined {
  switch (event.type) {
    case 'user/message':
    case 'steering/message':
    case 'assistant/message':
    case 'tool/result':
      return textOf(event.data.content as ContentBlock[])
    default:
      return undefined
  }
}

/** The text around position `at`, on one line, safe to print. */
export function excerptOf(text: string, at: number): string {
  const from = Math.max(0, at - AROUND)
  const piece = clipEnd(text.slice(from), 2 * AROUND)
  const line = stripControls(piece).replace(/\s+/g, ' ').trim()
  return `${from > 0 ? '…' : ''}${line}${from + piece.length < text.length ? '…' : ''}`
}
