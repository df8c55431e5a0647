/** Decides how a complete answer ends from what it holds; the provider's own word is only one of the signs. Pure. */

import { LlmError, type FinishReason } from '@deepseek-ai/dsh-llm'
import { holdsMarkup } from '@deepseek-ai/dsh-tool-markup'

/** A complete answer, summed up. */
export interface Conclusion {
  /** The provider's finish reason; absent when it gave none. */
  reason: string | undefined
  text: string
  reasoning: string
  calls: number
  /** The text held tool-call markup that could not be read. */
  brokenMarkup: boolean
}

/**
 * Calls run whatever the reason says, unless the answer was cut off. Throws the
 * failures that hide behind a finished stream: an empty answer, a filter, an
 * overloaded provider, unreadable markup.
 */
export function concludeAnswer({ reason, text, reasoning, calls, brokenMarkup }: Conclusion): FinishReason {
  const empty = calls === 0 && isBlank(text)
  if (reason === 'insufficient_system_resource') throw new LlmError('SERVER', 'the provider broke the answer off: it is out of resources')
  if (brokenMarkup && calls === 0) throw new LlmError('MALFORMED_RESPONSE', 'the answer holds tool calls as markup in its text, and they are incomplete or name no known tool')
  if (reason === 'length' || reason === 'max_tokens') {
    if (empty && isBlank(reasoning)) throw new LlmError('CONTEXT_OVERFLOW', 'the request leaves the model no room to answer: it stopped at its length limit without a word')
    if (empty) throw new LlmError('EMPTY_RESPONSE', 'the model spent its whole length limit on reasoning and gave no answer')
    return { kind: 'max-tokens' }
  }
  if (calls > 0) return { kind: 'tool-calls' }
  if (reason === 'content_filter') throw new LlmError('CONTENT_FILTER', "the answer was withheld by the provider's content filter")
  if (!empty) return { kind: 'stop' }
  if (holdsMarkup(reasoning)) throw new LlmError('MALFORMED_RESPONSE', 'the answer is empty and its reasoning holds tool calls as markup')
  const only = isBlank(reasoning) ? 'nothing' : 'only reasoning'
  throw new LlmError('EMPTY_RESPONSE', `the model ended its answer with ${only}: no text and no tool call`)
}

/** Nothing that anybody could see: marks that only steer the layout are blanks too. */
function isBlank(text: string): boolean {
  return /^[\s\p{Cc}\p{Cf}]*$/u.test(text)
}
