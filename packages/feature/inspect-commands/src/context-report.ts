/** Says what fills a model's context window, by part, with its size and where it came from. Pure over events. */

import { sentTokens, type ContentBlock, type Message } from '@deepseek-ai/dsh-llm'
import type { Session } from '@deepseek-ai/dsh-session'
import type { PromptSection } from '@deepseek-ai/dsh-system-prompt'

export interface ContextPart {
  name: string
  /** Where it comes from. */
  origin: string
  /** UTF-16 units. */
  characters: number
}

export interface ContextReport {
  parts: ContextPart[]
  characters: number
  /** Tokens of the last request with its answer, as the provider counted them; undefined before the first. */
  tokens: number | undefined
}

/** What is sent beside the messages. */
export type RequestHeader = Pick<NonNullable<Session['requestHeader']>, 'system' | 'tools'>

/** The parts in the order in which the model reads them, the empty ones left out; `header` is what would be sent while nothing has been. */
export function reportContext(session: Session, sections: readonly PromptSection[], header: RequestHeader | undefined = session.requestHeader): ContextReport {
  const parts = [...promptParts(header, sections), ...messageParts(session.deriveMessages(), session)].filter(({ characters }) => characters > 0)
  return { parts, characters: parts.reduce((sum, part) => sum + part.characters, 0), tokens: lastTokens(session) }
}

function promptParts(requestHeader: RequestHeader | undefined, sections: readonly PromptSection[]): ContextPart[] {
  const system = requestHeader?.system ?? ''
  const known = sections.map(({ name, text }) => ({ name, text: (typeof text === 'function' ? text() : text).trim() })).filter(({ text }) => text !== '' && (system === '' || system.includes(text)))
  const rest = system.length - known.reduce((sum, { text }) => sum + text.length, 0)
  return [
    ...known.map(({ name, text }) => ({ name, origin: 'system prompt', characters: text.length })),
    { name: 'other instructions', origin: 'system prompt', characters: system === '' ? 0 : Math.max(0, rest) },
    ...(requestHeader?.tools ?? []).map(tool => ({ name: tool.name, origin: 'tool schema', characters: JSON.stringify(tool).length })),
  ]
}

function messageParts(messages: readonly Message[], session: Session): ContextPart[] {
  const toolOf = new Map(session.settledEvents.flatMap(event => (event.type === 'tool/call' ? [[event.data.callId, event.data.name] as const] : [])))
  const sums = new Map<string, ContextPart>()
  const add = (name: string, origin: string, characters: number): void => {
    const key = `${origin}\0${name}`
    const part = sums.get(key)
    if (part) part.characters += characters
    else sums.set(key, { name, origin, characters })
  }
  for (const { role, content } of messages) {
    for (const block of content) {
      if (block.type === 'tool-call') add(block.name, 'tool calls', block.name.length + block.arguments.length)
      else if (block.type === 'tool-result') add(toolOf.get(block.toolCallId) ?? 'unknown tool', 'tool results', sizeOf(block.content))
      else if (block.type === 'reasoning') add('reasoning', 'model', block.text.length)
      else add(role === 'assistant' ? 'answers' : 'messages and context', role === 'assistant' ? 'model' : 'you', sizeOf([block]))
    }
  }
  return [...sums.values()]
}

function sizeOf(content: readonly ContentBlock[]): number {
  return content.reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : JSON.stringify(block).length), 0)
}

function lastTokens({ settledEvents }: Session): number | undefined {
  const last = settledEvents.findLast(event => event.type === 'assistant/message' && event.data.usage !== undefined)
  const usage = last?.type === 'assistant/message' ? last.data.usage : undefined
  return usage && sentTokens(usage) + usage.outputTokens
}
