/** Turns an action into the chunks of one answer. Pure. */

import { createHash } from 'node:crypto'
import { clipEnd } from '@deepseek-ai/dsh-text'
import type { ContentBlock, GenerateOptions, Message, StreamChunk } from '@deepseek-ai/dsh-llm'
import type { Action } from './plan.ts'

/** Characters of one delta, about what a model sends. */
const DELTA = 24

/** Characters that make up a token, roughly. */
const PER_TOKEN = 4

/** Each block is started, streamed in deltas and ended; then usage, then the reason. */
export function* streamAnswer(action: Action, request: GenerateOptions): Generator<StreamChunk> {
  const most = (request.maxTokens ?? Infinity) * PER_TOKEN
  const text = action.kind === 'answer' ? clipEnd(action.text, most) : ''
  const blocks = action.kind === 'answer' ? [{ type: 'text' as const, text }] : action.calls.map(({ name, arguments: args }, index) => ({ type: 'tool-call' as const, id: callId(request, index), name, arguments: JSON.stringify(args) }))
  for (const [index, block] of blocks.entries()) yield* streamBlock(index, block)
  const written = blocks.reduce((sum, block) => sum + lengthOf(block), 0)
  yield { type: 'usage', usage: { inputTokens: tokens(inputLength(request)), outputTokens: tokens(written) } }
  const isCut = action.kind === 'answer' && text.length < action.text.length
  yield { type: 'finish', reason: { kind: action.kind === 'call' ? 'tool-calls' : isCut ? 'max-tokens' : 'stop' } }
}

function* streamBlock(index: number, block: Extract<ContentBlock, { type: 'text' | 'tool-call' }>): Generator<StreamChunk> {
  yield { type: 'block-start', index, blockType: block.type }
  if (block.type === 'text') for (const text of pieces(block.text)) yield { type: 'text-delta', index, text }
  else for (const argumentsDelta of pieces(block.arguments)) yield { type: 'tool-call-delta', index, id: block.id, name: block.name, argumentsDelta }
  yield { type: 'block-end', index, block }
}

/** Never half a character. */
function* pieces(text: string): Generator<string> {
  for (let rest = text; rest !== '';) {
    const piece = clipEnd(rest, DELTA)
    yield piece
    rest = rest.slice(piece.length)
  }
}

/**
 * Unlike any other of the session: it hangs on the last call's id, which hangs
 * on the one before it, and on what has been said since.
 */
function callId({ messages, sessionId = '' }: GenerateOptions, index: number): string {
  const hash = createHash('sha256').update(`${sessionId}\n${messages.length}\n${index}\n`)
  for (const { content } of messages.slice(-4)) hash.update(JSON.stringify(content))
  return `call_${hash.digest('hex').slice(0, 20)}`
}

function tokens(characters: number): number {
  return Math.max(1, Math.ceil(characters / PER_TOKEN))
}

function inputLength({ messages, system = '', tools = [] }: GenerateOptions): number {
  const schemas = tools.reduce((sum, tool) => sum + tool.name.length + tool.description.length + JSON.stringify(tool.parameters).length, 0)
  return messages.reduce((sum, message) => sum + messageLength(message), system.length + schemas)
}

function messageLength({ content }: Message): number {
  return content.reduce((sum, block) => sum + lengthOf(block), 0)
}

function lengthOf(block: ContentBlock): number {
  switch (block.type) {
    case 'text':
    case 'reasoning':
      return block.text.length
    case 'tool-call':
      return block.name.length + block.arguments.length
    case 'tool-result':
      return block.content.reduce((sum, each) => sum + lengthOf(each), 0)
    default:
      return 0
  }
}
