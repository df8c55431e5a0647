/**
 * Builds whole answers in the provider's stream format, one event per delta.
 *
 *     data: {"id":…,"choices":[{"index":0,"delta":{"content":"Hel"},"finish_reason":null}]}⏎⏎
 *     data: {"id":…,"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{…}}⏎⏎
 *     data: [DONE]⏎⏎
 */

import type { JsonObject, JsonValue } from '@deepseek-ai/dsh-json'
import type { Ending, MockReply, Piece } from './types.ts'

/** One call of an answer. `arguments` given as an object is written as JSON. */
export interface MockCall {
  /** Default `call_<random>`. */
  id?: string
  name: string
  arguments?: JsonObject | string
}

/** A whole answer in terms of its content. */
export interface AnswerSpec {
  reasoning?: string | readonly string[]
  /** A list is one delta each; a string is cut into `deltas` equal pieces. */
  text?: string | readonly string[]
  /** Into how many pieces a string of text is cut. Default 1. */
  deltas?: number
  calls?: readonly MockCall[]
  /** Default `tool_calls` when there are calls, else `stop`. */
  finish?: string | null
  /** False leaves it out. */
  usage?: JsonObject | false
  /** How many events one write holds. Default 1. */
  perWrite?: number
  delayMs?: number
  end?: Ending
}

const HEAD = { id: 'mock-answer', object: 'chat.completion.chunk', created: 1_760_000_000, model: 'mock', system_fingerprint: 'fp_mock' }

const USAGE: JsonObject = {
  prompt_tokens: 100,
  completion_tokens: 10,
  total_tokens: 110,
  prompt_cache_hit_tokens: 60,
  prompt_cache_miss_tokens: 40,
}

/** The end marker as a frame. */
export const DONE = 'data: [DONE]\n\n'

/** One frame with any payload. */
export function frame(payload: JsonValue): string {
  return `data: ${JSON.stringify(payload)}\n\n`
}

/** One frame with a delta, and with a finish reason where one is given. */
export function delta(value: JsonObject, finish: string | null = null, more: JsonObject = {}): string {
  return frame({ ...HEAD, choices: [{ index: 0, delta: value, logprobs: null, finish_reason: finish }], ...more })
}

/** A complete, proper answer. */
export function answer(spec: AnswerSpec): MockReply {
  const events = [
    delta({ role: 'assistant', content: '' }),
    ...piecesOf(spec.reasoning).map(reasoning => delta({ reasoning_content: reasoning })),
    ...piecesOf(spec.text, spec.deltas).map(content => delta({ content })),
    ...(spec.calls ?? []).flatMap(callFrames),
    lastFrame(spec),
    DONE,
  ]
  return { pieces: grouped(events, spec.perWrite ?? 1, spec.delayMs ?? 0), ...(spec.end !== undefined && { end: spec.end }) }
}

/** A text answer; `deltas` cuts it into that many pieces. */
export function textAnswer(text: string, deltas = 1): MockReply {
  return answer({ text, deltas })
}

/** An answer of calls alone. */
export function callAnswer(...calls: MockCall[]): MockReply {
  return answer({ calls })
}

/** A refusal in the provider's JSON form. */
export function errorReply(status: number, error: string | JsonObject, headers: Record<string, string> = {}): MockReply {
  const body = typeof error === 'string' ? { message: error, type: 'invalid_request_error', param: null, code: 'invalid_request_error' } : error
  return { status, headers: { 'content-type': 'application/json', ...headers }, pieces: [JSON.stringify({ error: body })] }
}

/** Any body with its type, such as an HTML page. */
export function bodyReply(status: number, type: string, body: string): MockReply {
  return { status, headers: { 'content-type': type }, pieces: body === '' ? [] : [body] }
}

function lastFrame({ calls, finish, usage }: AnswerSpec): string {
  const reason = finish === undefined ? (calls?.length ? 'tool_calls' : 'stop') : finish
  return delta({ content: '' }, reason, usage === false ? {} : { usage: usage ?? USAGE })
}

function callFrames(call: MockCall, index: number): string[] {
  const { id = `call_${crypto.randomUUID().slice(0, 8)}`, name, arguments: args = {} } = call
  const text = typeof args === 'string' ? args : JSON.stringify(args)
  const middle = Math.ceil(text.length / 2)
  const rest = [text.slice(0, middle), text.slice(middle)].filter(piece => piece !== '')
  return [
    delta({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
    ...rest.map(piece => delta({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]
}

function piecesOf(text: string | readonly string[] | undefined, count = 1): string[] {
  if (text === undefined) return []
  if (typeof text !== 'string') return [...text]
  const characters = Math.max(1, Math.ceil(text.length / count))
  return Array.from({ length: Math.ceil(text.length / characters) }, (_, i) => text.slice(i * characters, (i + 1) * characters))
}

function grouped(events: readonly string[], perWrite: number, delayMs: number): Piece[] {
  const pieces: Piece[] = []
  for (let i = 0; i < events.length; i += perWrite) {
    if (delayMs > 0 && i > 0) pieces.push({ delayMs })
    pieces.push(events.slice(i, i + perWrite).join(''))
  }
  return pieces
}
