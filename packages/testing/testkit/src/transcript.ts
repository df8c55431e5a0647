/**
 * A log as a few lines of text, for tests that compare whole conversations. Pure.
 *
 *     turn/start
 *     user       go
 *     assistant  bash {"command":"sleep 1"}
 *     tool       ok
 *     steering   stop after this
 *     assistant  noted
 *     turn/end   completed
 */

import type { ContentBlock } from '@deepseek-ai/dsh-llm'
import type { SessionEvent, TurnEndReason } from '@deepseek-ai/dsh-session'
import type { HasSession } from './events-of.ts'

/** Chunks, steps, headers and the inbox are left out. */
export function transcript({ session }: HasSession): string {
  return session.events.map(lineOf).filter(line => line !== undefined).join('\n')
}

function lineOf(event: SessionEvent): string | undefined {
  switch (event.type) {
    case 'turn/start':
      return event.data.trigger.kind === 'message' ? 'turn/start' : row('turn/start', event.data.trigger.kind)
    case 'turn/end':
      return row('turn/end', endOf(event.data.reason))
    case 'user/message':
      return row('user', show(event.data.content))
    case 'assistant/message':
      return row('assistant', `${show(event.data.content)}${event.data.interrupted ? ' …' : ''}`)
    case 'tool/result':
      return row(event.data.isError ? 'tool !' : 'tool', show(event.data.content))
    case 'context/message':
      return row('context', show(event.data.content))
    case 'steering/message':
      return row('steering', show(event.data.content))
    case 'prompt/blocked':
      return row('blocked', event.data.reason)
    case 'llm/attempt':
      return row('attempt', `${event.data.attempt} ${event.data.error.code}`)
    default:
      return undefined
  }
}

function row(head: string, text: string): string {
  return `${head.padEnd(11)}${text}`.trimEnd()
}

function endOf(reason: TurnEndReason): string {
  switch (reason.kind) {
    case 'aborted':
    case 'rejected':
      return `${reason.kind} ${reason.reason ?? ''}`
    case 'error':
      return `error ${reason.code ?? ''} ${reason.message}`
    case 'limit':
      return `limit ${reason.which}`
    default:
      return reason.kind
  }
}

function show(content: readonly ContentBlock[]): string {
  return content.map(showBlock).join(' ')
}

function showBlock(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'reasoning':
      return `(${block.text})`
    case 'tool-call':
      return `${block.name} ${block.arguments}`
    default:
      return `[${block.type}]`
  }
}
