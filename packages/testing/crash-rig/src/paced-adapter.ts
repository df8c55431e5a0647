/**
 * A model that speaks slowly and calls tools most of the time, so that a kill
 * falls into anything. Every third answer takes several times as long as events
 * may wait to be written: not all that is there must come from checkpoints.
 */

import { LlmAdapter, type GenerateOptions, type StreamChunk } from '@deepseek-ai/dsh-llm'

/** Words of one answer. */
const WORDS = 40

/** A fast answer has a pause of this length before every fourth word, a slow one the other before each. */
const FAST_PAUSE_MS = 1
const SLOW_PAUSE_MS = 8

export class PacedAdapter extends LlmAdapter {
  async *stream({ messages }: GenerateOptions): AsyncIterable<StreamChunk> {
    const last = messages.at(-1)?.content[0]?.type
    const calls = last === 'tool-result' && messages.length % 3 !== 0 ? 0 : 1 + (messages.length % 3)
    const isSlow = messages.length % 3 === 1
    for (let i = 0; i < WORDS; i++) {
      if (isSlow || i % 4 === 0) await new Promise(resolve => setTimeout(resolve, isSlow ? SLOW_PAUSE_MS : FAST_PAUSE_MS))
      yield { type: 'text-delta', index: 0, text: `word${i} ` }
    }
    for (let n = 0; n < calls; n++) yield { type: 'tool-call-delta', index: 1 + n, id: `c${messages.length}-${n}`, name: 'work', argumentsDelta: `{"n":${n}}` }
    yield { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } }
    yield { type: 'finish', reason: { kind: calls > 0 ? 'tool-calls' : 'stop' } }
  }
}
