/** Scripts that branch: one list of replies per conversation. */

import { errorReply } from './answers.ts'
import type { MockReply, MockRequest, Responder } from './types.ts'

/**
 * Gives each conversation its own list. A key matches when the first user text
 * contains it; `*` matches the rest. A list that runs out, or no match, is a 400.
 */
export function byConversation(lists: Record<string, readonly (MockReply | Responder)[]>): Responder {
  const cursors = new Map<string, number>()
  return (request: MockRequest) => {
    const key = Object.keys(lists).find(part => part !== '*' && request.conversation.includes(part)) ?? '*'
    const cursor = cursors.get(key) ?? 0
    cursors.set(key, cursor + 1)
    const step = lists[key]?.[cursor]
    if (step === undefined) return errorReply(400, `the script has no reply ${cursor} for the conversation "${key}"`)
    return typeof step === 'function' ? step(request) : step
  }
}
