/** Parts of Anthropic's messages, made of ours. Pure. */

import type { ToolCallBlock } from '@deepseek-ai/dsh-llm'
import { argumentsOf } from './tally-events.ts'
import type { UsageSum } from './types.ts'

const STOP_REASONS: Readonly<Record<string, string>> = { stop: 'end_turn', 'tool-calls': 'tool_use', 'max-tokens': 'max_tokens' }

/** Null while there is none, and for an answer that was cut off. */
export function stopReasonOf(finish: string | undefined): string | null {
  return (finish === undefined ? undefined : STOP_REASONS[finish]) ?? null
}

export function usageOf({ input, output, cacheRead, cacheWrite }: Omit<UsageSum, 'reasoning'>): object {
  return { input_tokens: input, output_tokens: output, cache_read_input_tokens: cacheRead, cache_creation_input_tokens: cacheWrite }
}

/** Arguments that are not JSON stand under `unparsed`. */
export function toolUseOf({ id, name, arguments: raw }: ToolCallBlock): object {
  return { type: 'tool_use', id, name, input: argumentsOf(raw) }
}
