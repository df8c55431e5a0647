/**
 * A model that speaks slowly and calls tools most of the time, so that a kill
 * falls into anything. Two of three answers take several times as long as events
 * may wait to be written: not all that is there must come from checkpoints. One
 * of them is slow, the other long: what a store gathers of a stream, and when it
 * has enough of it, are both met.
 */

import { LlmAdapter, type GenerateOptions, type StreamChunk } from '@deepseek-ai/dsh-llm'

interface Pace {
  words: number
  /** Before every word of which the number is a multiple of `every`. */
  pauseMs: number
  every: number
}

/** By the number of messages. */
const PACES: readonly Pace[] = [
  { words: 40, pauseMs: 1, every: 4 },
  { words: 40, pauseMs: 8, every: 1 },
  { words: 500, pauseMs: 1, every: 2 },
]

export class PacedAdapter extends LlmAdapter {
  async *stream({ messages }: GenerateOptions): AsyncIterable<StreamChunk> {
    const last = messages.at(-1)?.content[0]?.type
    const calls = last === 'tool-result' && messages.length % 3 !== 0 ? 0 : 1 + (messages.length % 3)
    const { words, pauseMs, every } = PACES[messages.length % PACES.length] as Pace
    for (let i = 0; i < words; i++) {
      if (i % every === 0) await new Promise(resolve => setTimeout(resolve, pauseMs))
      yield { type: 'text-delta', index: 0, text: `word${i} ` }
    }
    for (let n = 0; n < calls; n++) yield { type: 'tool-call-delta', index: 1 + n, id: `c${messages.length}-${n}`, name: 'work', argumentsDelta: `{"n":${n}}` }
    yield { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } }
    yield { type: 'finish', reason: { kind: calls > 0 ? 'tool-calls' : 'stop' } }
  }
}
