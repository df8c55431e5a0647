/** Turns an answer into the chunks that a proper adapter would stream for it. Pure. */

import type { ContentBlock, StreamChunk, TokenUsage } from '@deepseek-ai/dsh-llm'
import type { ScriptedCall, Step } from './steps.ts'

const USAGE: TokenUsage = { inputTokens: 10, outputTokens: 5 }

/** `nextId` makes the ids of calls that have none. */
export function chunksOf(step: Extract<Step, { kind: 'answer' }>, nextId: () => string): StreamChunk[] {
  const { text, reasoning, deltas = 1, calls = [], usage = USAGE } = step
  const finish = step.finish ?? { kind: calls.length > 0 ? 'tool-calls' : 'stop' }
  const parts: ((index: number) => StreamChunk[])[] = []
  if (reasoning !== undefined) parts.push(index => block(index, { type: 'reasoning', text: reasoning }, [{ type: 'reasoning-delta', index, text: reasoning }]))
  if (text !== undefined) parts.push(index => block(index, { type: 'text', text }, cut(text, deltas).map(piece => ({ type: 'text-delta', index, text: piece }))))
  for (const scripted of calls) parts.push(index => callChunks(index, scripted, nextId))
  return [...parts.flatMap((part, index) => part(index)), { type: 'usage', usage }, { type: 'finish', reason: finish }]
}

function callChunks(index: number, { name, arguments: args, id = '' }: ScriptedCall, nextId: () => string): StreamChunk[] {
  const callId = id === '' ? nextId() : id
  const text = typeof args === 'string' ? args : JSON.stringify(args)
  return block(index, { type: 'tool-call', id: callId, name, arguments: text }, [{ type: 'tool-call-delta', index, id: callId, name, argumentsDelta: text }])
}

function block(index: number, whole: ContentBlock, middle: StreamChunk[]): StreamChunk[] {
  return [{ type: 'block-start', index, blockType: whole.type }, ...middle, { type: 'block-end', index, block: whole }]
}

function cut(text: string, count: number): string[] {
  const size = Math.max(1, Math.ceil(text.length / count))
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size))
}
