/** A model that speaks slowly and calls tools every other time, so that a kill falls into anything. */

import { LlmAdapter, type GenerateOptions, type StreamChunk } from '@deepseek-ai/dsh-llm'

/** Words of one answer. */
const WORDS = 40

export class PacedAdapter extends LlmAdapter {
  async *stream({ messages }: GenerateOptions): AsyncIterable<StreamChunk> {
    const last = messages.at(-1)?.content[0]?.type
    const calls = last === 'tool-result' && messages.length % 3 !== 0 ? 0 : 1 + (messages.length % 3)
    for (let i = 0; i < WORDS; i++) {
      if (i % 4 === 0) await new Promise(resolve => setTimeout(resolve, 1))
      yield { type: 'text-delta', index: 0, text: `word${i} ` }
    }
    for (let n = 0; n < calls; n++) yield { type: 'tool-call-delta', index: 1 + n, id: `c${messages.length}-${n}`, name: 'work', argumentsDelta: `{"n":${n}}` }
    yield { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } }
    yield { type: 'finish', reason: { kind: calls > 0 ? 'tool-calls' : 'stop' } }
  }
}
