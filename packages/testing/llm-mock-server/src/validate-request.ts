/**
 * Decides what a strict provider would say to a request body. Remembers each
 * conversation's last body: when the new one only adds messages at the end, as
 * an append-only client's does, only what is new is parsed and checked.
 */

import { isUtf8 } from 'node:buffer'
import type { JsonObject, JsonValue } from '@deepseek-ai/dsh-json'
import { halfPair } from './half-pair.ts'
import { MessageValidator } from './message-validator.ts'
import { findBadTool, isObject } from './validate-schema.ts'
import type { Rules } from './types.ts'

const MAX_BODY = 32 * 1024 * 1024
const MOST_CONVERSATIONS = 64
/** How every body that can be extended ends: the list of messages, then the object. */
const TAIL = ']}'

/** A refusal: an HTTP status, the provider's code and a message. */
export interface Refusal {
  status: number
  code: string
  message: string
}

interface Known {
  body: Buffer
  validator: MessageValidator
}

export class RequestValidator {
  private readonly rules: Rules
  /** By conversation, most recently used last. */
  private readonly known = new Map<string, Known>()

  constructor(rules: Rules = {}) {
    this.rules = rules
  }

  /** The first thing wrong with the body; undefined when nothing is. `conversation` names what the body may extend. */
  check(body: Buffer, conversation = ''): Refusal | undefined {
    const { maxBodyBytes = MAX_BODY, contextTokens } = this.rules
    if (body.length > maxBodyBytes) return { status: 413, code: 'request_too_large', message: `the request is ${body.length} bytes; at most ${maxBodyBytes} are allowed` }
    const tokens = Math.ceil(body.length / 4)
    const message = this.checkContent(body, conversation)
    if (message !== undefined) return { status: 400, code: 'invalid_request_error', message }
    if (contextTokens === undefined || tokens <= contextTokens) return undefined
    return { status: 400, code: 'context_length_exceeded', message: `This model's maximum context length is ${contextTokens} tokens. However, you requested ${tokens} tokens.` }
  }

  private checkContent(body: Buffer, key: string): string | undefined {
    const known = this.known.get(key)
    const added = known && addedMessages(known.body, body)
    if (known && added) {
      const found = halfPair(added) ?? pushAll(known.validator, added)
      if (found === undefined) known.body = body
      else this.known.delete(key)
      return found
    }
    return this.checkWhole(body, key)
  }

  private checkWhole(body: Buffer, key: string): string | undefined {
    if (!isUtf8(body)) return 'the request body is not valid UTF-8'
    const request = parseJson(body.toString('utf8'))
    if (request === undefined) return 'the request body is not valid JSON'
    if (!isObject(request)) return 'the request body must be an object'
    const validator = new MessageValidator(this.rules)
    const found = halfPair(request) ?? badEnvelope(request) ?? pushAll(validator, request.messages as JsonValue[])
    if (found === undefined) this.remember(key, { body, validator })
    return found
  }

  private remember(key: string, known: Known): void {
    this.known.delete(key)
    this.known.set(key, known)
    const oldest = this.known.keys().next().value
    if (this.known.size > MOST_CONVERSATIONS && oldest !== undefined) this.known.delete(oldest)
  }
}

/** How many of their first bytes two bodies share. */
export function sharedBytes(a: Buffer, b: Buffer): number {
  let low = 0
  let high = Math.min(a.length, b.length)
  // Bisection over memcmp: a comparison byte by byte in JavaScript would dominate long conversations.
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (a.compare(b, low, middle, low, middle) === 0) low = middle
    else high = middle - 1
  }
  return low
}

/** The messages that `next` has after all of `last`'s; undefined when it is not such an extension. */
function addedMessages(last: Buffer, next: Buffer): JsonValue[] | undefined {
  const kept = last.length - TAIL.length
  if (next.length <= last.length || last.toString('latin1', kept) !== TAIL || last.compare(next, 0, kept, 0, kept) !== 0) return undefined
  const rest = next.subarray(kept)
  if (rest[0] !== 0x2c || !isUtf8(rest)) return undefined
  // Wrapped so that the outermost bracket closes the list and the brace the request.
  const wrapped = parseJson(`{"messages":[${rest.toString('utf8', 1)}`)
  return isObject(wrapped) && Object.keys(wrapped).length === 1 ? (wrapped.messages as JsonValue[]) : undefined
}

function pushAll(validator: MessageValidator, messages: readonly JsonValue[]): string | undefined {
  for (const message of messages) {
    const found = validator.push(message)
    if (found !== undefined) return found
  }
  return validator.end()
}

function badEnvelope(request: JsonObject): string | undefined {
  const { model, messages, tools, stream_options: stream, max_tokens: most, temperature, thinking } = request
  if (typeof model !== 'string' || model === '') return 'model is missing'
  if (!Array.isArray(messages) || messages.length === 0) return 'messages must be a non-empty array'
  if (most !== undefined && (!Number.isInteger(most) || Number(most) < 1)) return 'max_tokens must be a positive integer'
  if (temperature !== undefined && (typeof temperature !== 'number' || temperature < 0 || temperature > 2)) return 'temperature must be between 0 and 2'
  if (thinking !== undefined && !(isObject(thinking) && (thinking.type === 'enabled' || thinking.type === 'disabled'))) return 'thinking.type must be enabled or disabled'
  if (stream !== undefined && !(isObject(stream) && request.stream === true)) return 'stream_options is only allowed when stream is true'
  return findBadTool(tools)
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined // the caller says so in its own words
  }
}
