/** Compares a request with the log that it must be a fold of. */

import { isDeepStrictEqual } from 'node:util'
import type { GenerateOptions } from '@deepseek-ai/dsh-llm'
import { Session } from '@deepseek-ai/dsh-session'
import { describeDifference } from './describe-difference.ts'

/**
 * Undefined when system text and tools are those of the last `request/header`
 * and the messages those of a fold from scratch; else what differs.
 */
export function findRequestFault(session: Session, { system = '', tools = [], messages }: GenerateOptions): string | undefined {
  const fresh = new Session(session.header, session.events)
  const header = fresh.requestHeader
  if (!header) return 'a request was made before its request/header was logged'
  const sent = { system, tools: [...tools], messages: [...messages] }
  const logged = { system: header.system, tools: [...header.tools], messages: [...fresh.deriveMessages()] }
  if (isDeepStrictEqual(sent, logged)) return undefined
  return `the request is not the fold of the log:\n${describeDifference(logged, sent)}`
}
