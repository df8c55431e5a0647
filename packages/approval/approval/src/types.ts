/** The vocabulary of approvals. Types only. */

import type { Agent } from '@deepseek-ai/dsh-agent'
import type { JsonObject } from '@deepseek-ai/dsh-json'
import type { CallId } from '@deepseek-ai/dsh-llm'

/** What a human is asked to allow: the exact call, never a paraphrase of it. */
export interface ApprovalRequest {
  agent: Agent
  callId: CallId
  tool: string
  arguments: JsonObject
  /** Why it needs asking. */
  reason?: string
  /** False when an answer must not outlive this call, and the front door should not offer to remember it. */
  rememberable: boolean
}

/** A request with the id under which it is answered. */
export interface ApprovalQuestion extends ApprovalRequest {
  id: string
}

/** `session` allows every further call of the same tool in this session. */
export type ApprovalAnswer = { kind: 'allow'; scope: 'once' | 'session' } | { kind: 'deny'; reason?: string } | { kind: 'unavailable' }

/**
 * Puts questions before a human; the front door's part. It must settle when the
 * signal is aborted. A rejection counts as `unavailable`.
 */
export type Answerer = (question: ApprovalQuestion, signal: AbortSignal) => Promise<ApprovalAnswer>
