/**
 * The vocabulary of the log. Types only.
 *
 * A session is an append-only list of events, numbered from 0 without holes.
 * Everything else (messages for the model, the queue, the screen) is a fold of
 * it. A plugin adds an event by merging into `SessionEventMap` in its own
 * package; readers keep types that they do not know.
 */

import type { JsonValue } from '@deepseek-ai/dsh-json'
import type { CallId, ContentBlock, Cost, FinishReason, MessageSource, StreamChunk, TokenUsage, ToolSchema } from '@deepseek-ai/dsh-llm'
import type { EventLog } from './event-log.ts'

/** Identifies a session; safe as a file name. A plain string in JSON. */
export type SessionId = string & { readonly __brand?: 'SessionId' }

/** What opened a turn. */
export interface TurnTriggerMap {
  message: { kind: 'message'; source: MessageSource }
  injection: { kind: 'injection'; source: MessageSource }
}

export type TurnTrigger = TurnTriggerMap[keyof TurnTriggerMap]

/** Which budget ran out. */
export type TurnLimit = 'steps' | 'tokens' | 'cost' | 'deadline'

/** Why a turn ended. */
export interface TurnEndReasonMap {
  completed: { kind: 'completed' }
  aborted: { kind: 'aborted'; reason?: string }
  error: { kind: 'error'; step: number; message: string; code?: string }
  disposed: { kind: 'disposed' }
  'max-tokens': { kind: 'max-tokens' }
  rejected: { kind: 'rejected'; reason: string }
  /** Closed by recovery after a crash. */
  interrupted: { kind: 'interrupted' }
  limit: { kind: 'limit'; which: TurnLimit }
}

export type TurnEndReason = TurnEndReasonMap[keyof TurnEndReasonMap]

/** Whether accepted input waits for the next turn or for the next step of the open one. */
export type InboxTarget = 'turn' | 'step'

/** The error part of a failed tool result, for programs. */
export interface ToolErrorInfo {
  name: string
  code: string
}

export interface SessionEventMap {
  /** Accepted input, durable before `send` returns. */
  'inbox/queued': { id: string; target: InboxTarget; content: ContentBlock[]; source: MessageSource }
  'inbox/claimed': { ids: string[]; turn: number; step?: number }
  'inbox/dropped': { ids: string[]; reason: string }
  'turn/start': { turn: number; trigger: TurnTrigger }
  'turn/end': { turn: number; reason: TurnEndReason }
  'step/start': { turn: number; step: number }
  'step/end': { turn: number; step: number }
  'user/message': { content: ContentBlock[]; source: MessageSource }
  'prompt/blocked': { content: ContentBlock[]; source: MessageSource; reason: string }
  'context/message': { content: ContentBlock[]; source: MessageSource }
  'steering/message': { turn: number; content: ContentBlock[]; source: MessageSource }
  /** System text and tools of the requests from here on; `hash` is over both. */
  'request/header': { turn: number; step: number; hash: string; system: string; tools: ToolSchema[] }
  'assistant/chunk': { turn: number; step: number; chunk: StreamChunk }
  'assistant/message': {
    turn: number
    step: number
    content: ContentBlock[]
    usage?: TokenUsage
    finish: FinishReason
    model: string
    /** By the price that was known then; absent where none was. */
    cost?: Cost
    /** The stream was cut; `content` is what had become visible. */
    interrupted?: true
  }
  /** A failed request attempt; the chunks of the step so far do not count. */
  'llm/attempt': { turn: number; step: number; attempt: number; error: { name: string; code: string; status?: number; message: string }; retryInMs?: number }
  'tool/call': { turn: number; step: number; callId: CallId; name: string; arguments: string; parseError?: string }
  'tool/result': { turn: number; step: number; callId: CallId; content: ContentBlock[]; isError: boolean; error?: ToolErrorInfo; meta?: JsonValue }
  /** What derivation had to mend so that the next request is well-formed. */
  'derivation/repaired': { turn: number; step: number; repairs: DerivationRepair[] }
  'session/title': { title: string; source: MessageSource }
}

export type SessionEventType = keyof SessionEventMap

/** The events that the model may see; each says where it goes on the surface. */
export type SurfaceEventType = 'user/message' | 'assistant/message' | 'tool/result' | 'context/message' | 'steering/message'

/** At the end of the surface, or in place of the nodes from `start` to `end` (sequence numbers, inclusive, by position). */
export type SurfaceOp = 'append' | { op: 'replace'; start: number; end: number }

/** The third argument of `append`: required for surface events, forbidden for others. */
export interface SurfaceIntent {
  surfaceOp: SurfaceOp
  /** The events that this one was made from. */
  sourceEventSeqs?: number[]
}

interface Envelope<T extends SessionEventType> {
  type: T
  /** Position in the log. */
  seq: number
  /** Epoch milliseconds. */
  time: number
  data: SessionEventMap[T]
  sourceEventSeqs?: number[]
  surfaceOp?: SurfaceOp
}

export type SessionEvent<T extends SessionEventType = SessionEventType> = { [K in T]: Envelope<K> }[T]

/** What was mended: a call without a result got a synthetic one, a result without a call was left out. */
export type DerivationRepair = { kind: 'missing-result'; callId: CallId; state: 'not-started' | 'outcome-unknown' } | { kind: 'orphan-result'; callId: CallId; seq: number }

/** What stands before the log: identity and lineage. */
export interface SessionHeader {
  version: number
  id: SessionId
  createdAt: number
  /** Absolute. */
  cwd?: string
  parentSession?: SessionId
  /** How many leading events came from the parent. */
  seedLength?: number
}

export interface CreateSessionOptions {
  /** Events to start from; they are frozen, not copied. */
  seed?: readonly SessionEvent[] | EventLog
  meta?: Partial<Omit<SessionHeader, 'version' | 'id'>>
}
