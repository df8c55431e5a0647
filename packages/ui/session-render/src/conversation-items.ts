/** Makes of a log what a person wants to read of it, in order. Pure over events. */

import { toolCallsOf, type ContentBlock, type ImageBlock, type MessageSource } from '@deepseek-ai/dsh-llm'
import type { SessionEvent, TurnEndReason } from '@deepseek-ai/dsh-session'
import type { ConversationItem, SpokenItem, ToolItem } from './types.ts'

/** Everything said, called and worth a note; what a replacement took off the surface is still there. */
export function conversationItems(events: Iterable<SessionEvent>): ConversationItem[] {
  const items: ConversationItem[] = []
  const calls = new Map<string, ToolItem>()
  let streamed: SpokenItem | undefined
  for (const event of events) {
    if (event.type === 'assistant/chunk') {
      streamed = withChunk(streamed, event)
      continue
    }
    // What was streamed stands whole in the message; a failed attempt counts for nothing.
    if (event.type === 'assistant/message' || event.type === 'llm/attempt' || event.type === 'turn/end') streamed = undefined
    if (event.type === 'tool/result') {
      const call = calls.get(event.data.callId)
      if (call) call.result ??= { text: plainText(event.data.content), images: imagesOf(event.data.content), isError: event.data.isError }
      continue
    }
    const item = itemOf(event)
    if (item) items.push(item)
    if (event.type !== 'assistant/message') continue
    for (const { id, name, arguments: raw } of toolCallsOf(event.data.content)) {
      const call: ToolItem = { kind: 'tool', time: event.time, name, arguments: raw }
      calls.set(id, call)
      items.push(call)
    }
  }
  // The program was killed while the model spoke, and the session has not been opened for writing since.
  return streamed ? [...items, streamed] : items
}

function withChunk(streamed: SpokenItem | undefined, { time, data: { chunk } }: SessionEvent<'assistant/chunk'>): SpokenItem | undefined {
  if (chunk.type !== 'text-delta' && chunk.type !== 'reasoning-delta') return streamed
  const item = streamed ?? { kind: 'assistant', time, text: '', images: [], reasoning: '', isInterrupted: true }
  if (chunk.type === 'text-delta') item.text += chunk.text
  else item.reasoning += chunk.text
  return item
}

function itemOf(event: SessionEvent): ConversationItem | undefined {
  const { time } = event
  switch (event.type) {
    case 'user/message':
      return said('user', time, event.data)
    case 'steering/message':
      return said('steering', time, event.data)
    case 'context/message':
      return said('context', time, event.data)
    case 'assistant/message':
      return answered(event)
    case 'prompt/blocked':
      return note(time, `the prompt was not accepted: ${event.data.reason}`)
    case 'llm/attempt':
      return note(time, `request attempt ${event.data.attempt} failed: ${event.data.error.message} [${event.data.error.code}]`)
    case 'inbox/dropped':
      return note(time, `input was dropped: ${event.data.reason}`)
    case 'turn/end': {
      const ending = describeEnding(event.data.reason)
      return ending === undefined ? undefined : note(time, ending)
    }
    default:
      return undefined
  }
}

function said(kind: SpokenItem['kind'], time: number, { content, source }: { content: ContentBlock[]; source: MessageSource }): SpokenItem {
  return { kind, time, text: plainText(content), images: imagesOf(content), source, reasoning: '', isInterrupted: false }
}

/** Undefined for an answer of calls alone. */
function answered({ time, data }: SessionEvent<'assistant/message'>): SpokenItem | undefined {
  const text = plainText(data.content)
  const reasoning = data.content.flatMap(block => (block.type === 'reasoning' ? [block.text] : [])).join('\n')
  if (text === '' && reasoning === '') return undefined
  return { kind: 'assistant', time, text, images: imagesOf(data.content), reasoning, model: data.model, isInterrupted: data.interrupted === true }
}

function note(time: number, text: string): ConversationItem {
  return { kind: 'note', time, text }
}

/** In words; undefined for a clean completion. */
function describeEnding(reason: TurnEndReason): string | undefined {
  switch (reason.kind) {
    case 'completed':
      return undefined
    case 'aborted':
      return `stopped${reason.reason ? `: ${reason.reason}` : ''}`
    case 'error':
      return `the turn failed: ${reason.message}`
    case 'limit':
      return `the turn ran out of its budget (${reason.which})`
    case 'interrupted':
      return 'the turn was interrupted by a crash'
    case 'disposed':
      return 'the program ended before the turn did'
    case 'rejected':
      return `the prompt was not accepted: ${reason.reason}`
    case 'max-tokens':
      return "the answer was cut off at the model's output limit"
    default:
      return `the turn ended: ${(reason as { kind: string }).kind}`
  }
}

function plainText(content: readonly ContentBlock[]): string {
  return content.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n')
}

function imagesOf(content: readonly ContentBlock[]): ImageBlock[] {
  return content.filter(block => block.type === 'image')
}
