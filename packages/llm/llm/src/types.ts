/**
 * The vocabulary of a conversation with a model: blocks, messages, chunks,
 * requests. Types only. Open unions are the values of a map that a plugin can
 * extend by declaration merging, so switches over them need a tolerant default.
 */

import type { JsonObject } from '@deepseek-ai/dsh-json'

/** Identifies one tool call within a session. A plain string in JSON. */
export type CallId = string & { readonly __brand?: 'CallId' }

/** A hint that the provider may cache the prompt up to this block. */
export type CacheHint = 'ephemeral'

export interface TextBlock {
  type: 'text'
  text: string
  cache?: CacheHint
}

/** What the model thought before it spoke; some providers need it sent back. */
export interface ReasoningBlock {
  type: 'reasoning'
  text: string
}

export interface ToolCallBlock {
  type: 'tool-call'
  id: CallId
  name: string
  /** Raw JSON text, exactly as the model wrote it; it may fail to parse. */
  arguments: string
}

export interface ToolResultBlock {
  type: 'tool-result'
  toolCallId: CallId
  content: ContentBlock[]
  isError?: boolean
  cache?: CacheHint
}

/** Exactly one of `data` (base64) and `url` is present. */
export interface ImageBlock {
  type: 'image'
  data?: string
  url?: string
  mimeType?: string
  cache?: CacheHint
}

export interface ContentBlockMap {
  text: TextBlock
  reasoning: ReasoningBlock
  'tool-call': ToolCallBlock
  'tool-result': ToolResultBlock
  image: ImageBlock
}

export type ContentBlockType = keyof ContentBlockMap
export type ContentBlock = ContentBlockMap[ContentBlockType]

/** There is no `tool` role: tool results travel in user messages. */
export interface Message {
  role: 'system' | 'user' | 'assistant'
  content: ContentBlock[]
}

/** Who put a message into the conversation. */
export interface MessageSourceMap {
  user: { kind: 'user' }
  plugin: { kind: 'plugin'; plugin: string }
  agent: { kind: 'agent'; agentId: string }
}

export type MessageSource = MessageSourceMap[keyof MessageSourceMap]

/** Disjoint token counts of one request: billed input is the sum of the first three input figures. */
export interface TokenUsage {
  /** Input that was not read from the cache. */
  inputTokens: number
  outputTokens: number
  cacheReadTokens?: number
  cacheWriteTokens?: number
  /** The part of `outputTokens` that was reasoning. */
  reasoningTokens?: number
}

export interface FinishReasonMap {
  stop: { kind: 'stop' }
  'tool-calls': { kind: 'tool-calls' }
  'max-tokens': { kind: 'max-tokens' }
  aborted: { kind: 'aborted' }
  error: { kind: 'error'; message: string; code?: string }
}

export type FinishReason = FinishReasonMap[keyof FinishReasonMap]

/**
 * What an adapter streams, closed. Blocks may interleave by `index`; `usage`
 * comes before `finish` and nothing after it; both wait for the provider's end
 * marker. A failure is either thrown or a `finish` of kind `error` or `aborted`.
 */
export type StreamChunk =
  | { type: 'block-start'; index: number; blockType: ContentBlockType }
  | { type: 'text-delta'; index: number; text: string }
  | { type: 'reasoning-delta'; index: number; text: string }
  | { type: 'tool-call-delta'; index: number; id: CallId; name?: string; argumentsDelta: string }
  | { type: 'block-end'; index: number; block: ContentBlock }
  | { type: 'usage'; usage: TokenUsage }
  | { type: 'finish'; reason: FinishReason }

/** What the model is told about one tool. */
export interface ToolSchema {
  name: string
  description: string
  /** A JSON Schema whose root is an object. */
  parameters: JsonObject
  strict?: boolean
}

/** One request to a model. Messages are frozen and keep their identity from request to request. */
export interface GenerateOptions {
  model: string
  messages: readonly Message[]
  system?: string
  tools?: readonly ToolSchema[]
  maxTokens?: number
  temperature?: number
  /** How much to think, in the provider's words; absent: as the adapter is set. */
  effort?: string
  /** Which session asks. Adapters do not send it; a replaying adapter routes by it. */
  sessionId?: string
  signal: AbortSignal
}

/** Money, in a currency as ISO 4217 names it. */
export interface Cost {
  currency: string
  amount: number
}

/** What is known about a model. Absent fields are unknown, not zero. */
export interface ModelInfo {
  name: string
  /** Tokens of input and output together. */
  contextWindow?: number
  maxOutputTokens?: number
  vision?: boolean
  /** What `effort` may be, the least first; absent where it cannot be chosen. */
  efforts?: readonly string[]
  /** Prices in `currency` per million tokens. */
  price?: { currency: string; input: number; cacheRead?: number; output: number }
}
