/** Maps one message of the conversation to the provider's messages. Pure: same message and options, same bytes. */

import { parseJsonObject } from '@deepseek-ai/dsh-json'
import { textOf, type ContentBlock, type ImageBlock, type Message, type ToolCallBlock, type ToolResultBlock } from '@deepseek-ai/dsh-llm'
import { clipEnd } from '@deepseek-ai/dsh-text'

/** On which assistant messages reasoning goes back to the provider. */
export type ReasoningReplay = 'with-tool-calls' | 'always' | 'never'

export interface WireOptions {
  model: string
  vision: boolean
  reasoningReplay: ReasoningReplay
  /** The model thinks, so a message without reasoning still states it, as empty. */
  thinking: boolean
}

/** As much of unreadable arguments as the model gets back. */
const LONGEST_BROKEN = 2000
const NO_OUTPUT = '(no output)'
/** How `JSON.stringify` writes half a surrogate pair; a backslash of the text itself is doubled. */
const HALF = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g

type Wire = Record<string, unknown>

/** The JSON texts of the provider's messages, joined by commas; empty for a message that holds nothing to send. */
export function encodeMessage(message: Message, options: WireOptions): string {
  return wireMessages(message, options).map(encodeJson).join(',')
}

/** JSON without halves of surrogate pairs, in keys and values: strict providers refuse them. */
export function encodeJson(value: unknown): string {
  const json = JSON.stringify(value)
  return json.includes('\\ud') ? json.replaceAll(HALF, '$1\ufffd') : json
}

/** Whether an image of the message is replaced by words, because the model cannot see. */
export function losesImage({ content }: Message): boolean {
  return content.some(block => block.type === 'image' || (block.type === 'tool-result' && block.content.some(inner => inner.type === 'image')))
}

function wireMessages(message: Message, options: WireOptions): Wire[] {
  switch (message.role) {
    case 'system':
      return message.content.length === 0 ? [] : [{ role: 'system', content: textOf(message.content) }]
    case 'assistant':
      return assistantMessage(message, options)
    case 'user':
      return userMessages(message, options)
  }
}

function assistantMessage({ content }: Message, options: WireOptions): Wire[] {
  const text = textOf(content)
  const calls = content.filter(block => block.type === 'tool-call')
  // Reasoning alone is no message to the provider.
  if (text.trim() === '' && calls.length === 0) return []
  const wire: Wire = { role: 'assistant', content: text.trim() === '' ? null : text }
  const reasoning = reasoningOf(content, calls.length > 0, options)
  if (reasoning !== undefined) wire.reasoning_content = reasoning
  if (calls.length > 0) wire.tool_calls = calls.map(wireCall)
  return [wire]
}

function reasoningOf(content: readonly ContentBlock[], hasCalls: boolean, { reasoningReplay, thinking }: WireOptions): string | undefined {
  if (reasoningReplay === 'never' || (reasoningReplay === 'with-tool-calls' && !hasCalls)) return undefined
  const blocks = content.filter(block => block.type === 'reasoning')
  return blocks.length > 0 || thinking ? blocks.map(block => block.text).join('\n') : undefined
}

function wireCall(call: ToolCallBlock): Wire {
  return { id: call.id, type: 'function', function: { name: legalName(call.name), arguments: legalArguments(call.arguments) } }
}

/** A name that the model made up must not make every later request fail. */
function legalName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed'
}

/** Providers refuse arguments that are not a JSON object, so what is not is quoted inside of one. */
function legalArguments(text: string): string {
  if (text.trim() === '') return '{}'
  const parsed = parseJsonObject(text)
  if (parsed.kind === 'invalid') return JSON.stringify({ unreadable_arguments: clipEnd(text, LONGEST_BROKEN) })
  // A half may hide behind an escape of the arguments themselves; text without one keeps its bytes.
  if (!/\\ud/i.test(text)) return text
  const mended = encodeJson(parsed.value)
  return mended === JSON.stringify(parsed.value) ? text : mended
}

/** Results come first: they have to follow their calls directly. */
function userMessages({ content }: Message, options: WireOptions): Wire[] {
  const results = content.filter(block => block.type === 'tool-result')
  const rest = content.filter(block => block.type !== 'tool-result')
  // Only user messages may carry images, so those of results travel behind them.
  const images = options.vision ? results.flatMap(result => result.content.filter(block => block.type === 'image')) : []
  const wires = results.map(result => toolMessage(result, options))
  const said = userContent([...images, ...rest], options)
  return said === undefined ? wires : [...wires, { role: 'user', content: said }]
}

function toolMessage(result: ToolResultBlock, options: WireOptions): Wire {
  const parts = result.content.map(block => (block.type === 'image' && options.vision ? '[the image follows in the next message]' : asText(block, options)))
  const text = parts.filter(part => part !== '').join('\n')
  return { role: 'tool', tool_call_id: result.toolCallId, content: text === '' ? NO_OUTPUT : text }
}

function userContent(blocks: readonly ContentBlock[], options: WireOptions): string | Wire[] | undefined {
  if (options.vision && blocks.some(block => block.type === 'image')) {
    return blocks.map(block => (block.type === 'image' ? imagePart(block) : { type: 'text', text: asText(block, options) })).filter(part => !('text' in part) || part.text !== '')
  }
  const text = blocks.map(block => asText(block, options)).filter(part => part !== '').join('\n')
  return text === '' ? undefined : text
}

function asText(block: ContentBlock, { model }: WireOptions): string {
  if (block.type === 'text') return block.text
  return block.type === 'image' ? `[image left out: the model ${model} cannot see images]` : ''
}

function imagePart({ data, url, mimeType = 'image/png' }: ImageBlock): Wire {
  return { type: 'image_url', image_url: { url: url ?? `data:${mimeType};base64,${data ?? ''}` } }
}
