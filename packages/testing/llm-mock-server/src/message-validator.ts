/**
 * Checks a conversation message by message, as a strict provider does. It keeps
 * what it has seen, so a conversation that grows is checked in the time of what is new.
 */

import type { JsonObject, JsonValue } from '@deepseek-ai/dsh-json'
import { halfPair } from './half-pair.ts'
import { isObject, LEGAL_NAME } from './validate-schema.ts'
import type { Rules } from './types.ts'

const ROLES: ReadonlySet<string> = new Set(['system', 'user', 'assistant', 'tool'])

/** Feed it messages in order; each answer is the first thing wrong, or undefined. */
export class MessageValidator {
  private readonly rules: Rules
  private readonly seen = new Set<string>()
  private readonly open = new Set<string>()
  private readonly answered = new Set<string>()
  private count = 0
  private last = ''
  private prefix = false

  constructor(rules: Rules) {
    this.rules = rules
  }

  /** Checks the next message. */
  push(message: JsonValue): string | undefined {
    const at = `messages[${this.count++}]`
    if (!isObject(message)) return `${at} must be an object`
    const { role } = message
    if (typeof role !== 'string' || !ROLES.has(role)) return `${at}.role ${JSON.stringify(role)} is not one of ${[...ROLES].join(', ')}`
    this.last = role
    this.prefix = message.prefix === true
    if (role === 'tool') return this.tool(message, at)
    if (this.open.size > 0) return `${at}: an assistant message with tool_calls must be followed by tool messages; no result for ${this.openIds()}`
    if (message.reasoning_content !== undefined && role !== 'assistant') return `${at}.reasoning_content is only allowed on assistant messages`
    return role === 'assistant' ? this.assistant(message, at) : this.content(message.content, at)
  }

  /** Checks what can only be said when the list is over. */
  end(): string | undefined {
    if (this.count === 0) return 'messages must not be empty'
    if (this.open.size > 0) return `messages end before every tool call has its result; missing: ${this.openIds()}`
    return this.last === 'assistant' && !this.prefix ? 'the last message must not be an assistant message' : undefined
  }

  private tool(message: JsonObject, at: string): string | undefined {
    const { tool_call_id: id, content } = message
    if (typeof id !== 'string') return `${at}.tool_call_id is missing`
    if (this.answered.has(id)) return `${at}: the tool call "${id}" has two results`
    if (!this.open.delete(id)) return `${at}: messages with role "tool" must follow the call they answer; no open call "${id}"`
    this.answered.add(id)
    return this.content(content, at)
  }

  private assistant(message: JsonObject, at: string): string | undefined {
    const { content, tool_calls: calls } = message
    if (calls !== undefined && (!Array.isArray(calls) || calls.length === 0)) return `${at}.tool_calls must be a non-empty array`
    if (content !== undefined && content !== null && typeof content !== 'string') return `${at}.content must be a string or null`
    if (!calls && !content) return `${at}: an assistant message needs content or tool_calls`
    this.answered.clear()
    return this.badReasoning(message, at) ?? this.calls(Array.isArray(calls) ? calls : [], at)
  }

  private badReasoning(message: JsonObject, at: string): string | undefined {
    const { reasoning_content: reasoning, tool_calls: calls } = message
    if (reasoning !== undefined && typeof reasoning !== 'string') return `${at}.reasoning_content must be a string`
    if (this.rules.reasoning === 'B' && reasoning !== undefined) return `${at}.reasoning_content must not be passed to this API`
    if (this.rules.reasoning === 'A' && calls && reasoning === undefined) return `${at}: the reasoning_content in the thinking mode must be passed back to the API`
    return undefined
  }

  private calls(calls: readonly JsonValue[], at: string): string | undefined {
    for (const [index, call] of calls.entries()) {
      const found = this.call(call, `${at}.tool_calls[${index}]`)
      if (found !== undefined) return found
    }
    return undefined
  }

  private call(call: JsonValue, at: string): string | undefined {
    if (!isObject(call) || call.type !== 'function' || !isObject(call.function)) return `${at} must be {id, type: "function", function}`
    const { id } = call
    const { name, arguments: args } = call.function
    if (typeof id !== 'string' || !LEGAL_NAME.test(id)) return `${at}.id ${JSON.stringify(id)} does not match ${LEGAL_NAME.source}`
    if (this.seen.has(id)) return `${at}.id "${id}" is used twice`
    this.seen.add(id)
    this.open.add(id)
    if (typeof name !== 'string' || !LEGAL_NAME.test(name)) return `${at}.function.name ${JSON.stringify(name)} does not match ${LEGAL_NAME.source}`
    if (typeof args !== 'string') return `${at}.function.arguments must be a string`
    const value = parsed(args)
    if (!isObject(value)) return `${at}.function.arguments is not a JSON object: ${JSON.stringify(args.slice(0, 80))}`
    return halfPair(value, `${at}.function.arguments`)
  }

  private content(content: JsonValue | undefined, at: string): string | undefined {
    if (typeof content === 'string') return content === '' ? `${at}.content must not be empty` : undefined
    if (!Array.isArray(content) || content.length === 0) return `${at}.content must be a string or a non-empty array of parts`
    for (const [index, part] of content.entries()) {
      const found = this.part(part, `${at}.content[${index}]`)
      if (found !== undefined) return found
    }
    return undefined
  }

  private part(part: JsonValue, at: string): string | undefined {
    if (isObject(part) && part.type === 'text' && typeof part.text === 'string') return undefined
    if (!isObject(part) || part.type !== 'image_url') return `${at} is not a known content part`
    if (!this.rules.vision) return `${at}: unknown variant "image_url", expected "text"`
    const url = isObject(part.image_url) ? part.image_url.url : undefined
    return typeof url === 'string' && url !== '' ? undefined : `${at}.image_url.url is missing`
  }

  private openIds(): string {
    return [...this.open].map(id => `"${id}"`).join(', ')
  }
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined // not JSON, which the caller reports with the text
  }
}
