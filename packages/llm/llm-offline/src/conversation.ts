/**
 * Finds in a request what is still to be answered. Pure over messages.
 *
 * A segment begins behind the last finished answer (an assistant message that
 * calls nothing), or at the last prompt if that stands later:
 *
 *     user       run `ls`, then read a.txt        ← inputs
 *     assistant  bash {"command":"ls"}            ┐ one round
 *     user       result                           ┘
 *     user       <steering …> and list files      ← inputs
 */

import { parseJsonObject } from '@deepseek-ai/dsh-json'
import { textOf, toolCallsOf, type ContentBlock, type Message, type ToolResultBlock } from '@deepseek-ai/dsh-llm'
import { NOTICE } from './phrases.ts'
import type { Outcome } from './types.ts'

export interface Input {
  text: string
  /** Steering came while the answer was being worked on. */
  steering: boolean
  /** Where steering came from; undefined when a person wrote it. */
  plugin?: string
}

export interface Segment {
  inputs: Input[]
  /** What the calls of each assistant message gave, in order. */
  rounds: Outcome[][]
  /** Pictures among the inputs, which the stand-in cannot see. */
  images: number
  /** The conversation has not been told yet who answers. */
  isFirstAnswer: boolean
}

const ASIDE = /^<(context|steering) source="([^"]*)">/

export function findSegment(messages: readonly Message[]): Segment {
  const open = messages.slice(startOf(messages))
  const segment: Segment = { inputs: [], rounds: [], images: 0, isFirstAnswer: !messages.some(isIntroduced) }
  for (const message of open) {
    if (message.role === 'assistant') segment.rounds.push(roundOf(message, open))
    else if (message.role === 'user') addInput(segment, message)
  }
  segment.rounds = segment.rounds.filter(round => round.length > 0)
  return segment
}

function startOf(messages: readonly Message[]): number {
  const answered = messages.findLastIndex(({ role, content }) => role === 'assistant' && toolCallsOf(content).length === 0)
  const prompt = messages.findLastIndex(isPrompt)
  if (prompt <= answered) return answered + 1
  // Prompts that stand together are answered together, whatever context lies between them.
  let start = prompt
  for (let at = prompt - 1; at > answered && isPlainUser(messages[at]); at--) if (isPrompt(messages[at])) start = at
  return start
}

function isPlainUser(message: Message | undefined): boolean {
  return message?.role === 'user' && !message.content.some(({ type }) => type === 'tool-result')
}

function isPrompt(message: Message | undefined): boolean {
  return message !== undefined && isPlainUser(message) && !isAside(message.content) && !isSummary(message.content)
}

function isAside(content: readonly ContentBlock[]): boolean {
  return ASIDE.test(firstText(content))
}

/** A compacted conversation: history, and no request. */
function isSummary(content: readonly ContentBlock[]): boolean {
  return textOf(content).includes('<compacted-summary>')
}

function firstText([first]: readonly ContentBlock[]): string {
  return first?.type === 'text' ? first.text : ''
}

function isIntroduced({ role, content }: Message): boolean {
  return role === 'assistant' && textOf(content).includes(NOTICE)
}

function addInput(segment: Segment, { content }: Message): void {
  if (content.some(({ type }) => type === 'tool-result') || isSummary(content)) return
  const [, tag, source] = ASIDE.exec(firstText(content)) ?? []
  if (tag === 'context') return
  const inside = tag === undefined ? content : content.slice(1, -1)
  segment.images += inside.filter(({ type }) => type === 'image').length
  const isPerson = source === undefined || source === 'user' || source.startsWith('agent:')
  segment.inputs.push({ text: textOf(inside), steering: tag !== undefined, ...(!isPerson && { plugin: source }) })
}

function roundOf({ content }: Message, messages: readonly Message[]): Outcome[] {
  return toolCallsOf(content).flatMap(({ id, name, arguments: raw }) => {
    const result = resultOf(id, messages)
    const parsed = parseJsonObject(raw)
    if (!result) return []
    return [{ name, arguments: parsed.kind === 'object' ? parsed.value : {}, text: textOf(result.content), isError: result.isError === true }]
  })
}

function resultOf(id: string, messages: readonly Message[]): ToolResultBlock | undefined {
  for (const { content } of messages) {
    for (const block of content) if (block.type === 'tool-result' && block.toolCallId === id) return block
  }
  return undefined
}
