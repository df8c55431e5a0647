/**
 * Reads a script from JSON, for tests that run the server as a process:
 *
 *     { "port": 0, "rules": {…}, "validate": "strict", "models": […],
 *       "replies": [ { "text": "Hello", "deltas": 3 },
 *                    { "calls": [{ "name": "bash", "arguments": {"command":"ls"} }] },
 *                    { "status": 429, "headers": {"retry-after":"2"}, "pieces": ["…"], "end": "finish" } ],
 *       "conversations": { "first user text": [ … ], "*": [ … ] },
 *       "repeatLast": true }
 */

import { answer, type AnswerSpec } from './answers.ts'
import { byConversation } from './conversations.ts'
import type { MockReply, MockScript, MockServerOptions, Responder } from './types.ts'

type ReplySpec = AnswerSpec | MockReply

interface ScriptFile extends Omit<MockServerOptions, 'script'> {
  replies?: ReplySpec[]
  conversations?: Record<string, ReplySpec[]>
  /** The last of `replies` is given for ever. */
  repeatLast?: boolean
}

/** Throws when the text is not JSON or holds neither replies nor conversations. */
export function parseScriptFile(text: string): MockServerOptions {
  const { replies, conversations, repeatLast, ...options } = JSON.parse(text) as ScriptFile
  if (!replies && !conversations) throw new Error('a script needs "replies" or "conversations"')
  return { ...options, script: scriptOf(replies?.map(toReply) ?? [], conversations, repeatLast === true) }
}

function scriptOf(replies: MockReply[], conversations: Record<string, ReplySpec[]> | undefined, repeatLast: boolean): MockScript {
  if (conversations) return byConversation(Object.fromEntries(Object.entries(conversations).map(([key, list]) => [key, list.map(toReply)])))
  const last = replies.at(-1)
  if (!repeatLast || !last) return replies
  let next = 0
  const repeat: Responder = () => replies[next++] ?? last
  return repeat
}

function toReply(spec: ReplySpec): MockReply {
  return 'pieces' in spec || 'status' in spec ? spec : answer(spec as AnswerSpec)
}
