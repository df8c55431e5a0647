/**
 * Answers requests of the harness itself, which come without tools: to sum up a
 * conversation, or to name it. Excerpts, and honest about it. Pure.
 */

import { textOf, type GenerateOptions } from '@deepseek-ai/dsh-llm'
import { clipMiddle } from '@deepseek-ai/dsh-text'
import { shorten } from './fence.ts'

/** Of a conversation, what an excerpt keeps at most. */
const LONGEST_EXCERPT = 2_000

/** Undefined when the request is an ordinary one. */
export function answerWithoutTools({ messages, system = '', tools = [] }: Pick<GenerateOptions, 'messages' | 'system' | 'tools'>): string | undefined {
  if (tools.length > 0) return undefined
  const said = textOf(messages.findLast(({ role }) => role === 'user')?.content ?? [])
  if (/\b(?:compact|checkpoint|summar(?:y|i[sz]e)) /i.test(`${system} `) && /<compacted-summary>|summar/i.test(system)) return excerpt(said)
  return /\btitle\b/i.test(system) ? shorten(said, 60) : undefined
}

function excerpt(conversation: string): string {
  const most = Math.min(LONGEST_EXCERPT, Math.floor(conversation.length / 2))
  return `(An excerpt made by rule, not a summary: the offline stand-in cannot write one.)\n\n${clipMiddle(conversation.trim(), most, cut => `\n… ${cut} characters left out …\n`)}`
}
