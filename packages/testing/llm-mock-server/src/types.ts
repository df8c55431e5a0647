/** The vocabulary of the scripted server: what a test tells it to send, and what it saw. Types only. */

import type { JsonObject } from '@deepseek-ai/dsh-json'

/**
 * One write to the socket, a pause, or a hook that runs between two writes.
 * Bytes go out exactly as they are given, so a character or a field may be cut anywhere.
 */
export type Piece =
  | string
  | Uint8Array
  | { delayMs: number }
  | { base64: string }
  | { run: () => void | Promise<void> }

/**
 * How the answer ends: `finish` properly, `fin` closes the connection in the
 * middle of the body, `reset` sends RST, `hang` keeps it open and silent.
 */
export type Ending = 'finish' | 'fin' | 'reset' | 'hang'

/** One answer, byte by byte. */
export interface MockReply {
  /** Default 200. */
  status?: number
  /** Default `content-type: text/event-stream`. */
  headers?: Record<string, string>
  pieces?: readonly Piece[]
  end?: Ending
  /** The pieces hold the whole response, status line included. */
  raw?: boolean
  /** Waits before the status line. */
  headDelayMs?: number
}

/** Answers one request; may look at it, and may take its time. */
export type Responder = (request: MockRequest) => MockReply | Promise<MockReply>

/** Replies in order of arrival, or one function for all of them. */
export type MockScript = readonly (MockReply | Responder)[] | Responder

/** One request as it arrived. */
export interface MockRequest {
  /** Counts chat requests from 0. */
  index: number
  path: string
  headers: Record<string, string | string[] | undefined>
  /** Milliseconds of the epoch. */
  receivedAt: number
  /** The bytes; undefined once the budget for stored bodies made the server forget them. */
  rawBody: Buffer | undefined
  /** How long the body was. */
  bytes: number
  /** How many of its first bytes equal the request before it in the same conversation. */
  sharedBytes: number
  /** The parsed body; throws when it is not JSON or was forgotten. */
  readonly body: ChatBody
  /** The text of the first user message: names the conversation. */
  conversation: string
  /** Turns true when the client closed the connection before the answer was complete. */
  aborted: boolean
  /** When it did, in milliseconds of the epoch. */
  abortedAt?: number
}

/** The request body of the chat-completions protocol, as far as the server reads it. */
export interface ChatBody extends JsonObject {
  model: string
  messages: ChatMessage[]
}

export interface ChatMessage extends JsonObject {
  role: string
}

/** Something that a strict provider refuses. */
export interface Violation {
  /** The index of the request. */
  request: number
  message: string
}

/** What the strict checks demand. */
export interface Rules {
  /** `A`: reasoning_content must stand on assistant messages with calls; `B`: it must stand nowhere. */
  reasoning?: 'A' | 'B'
  /** Image parts are legal. Default false. */
  vision?: boolean
  /** Larger bodies get 413. Default 32 MiB. */
  maxBodyBytes?: number
  /** Bodies estimated (4 bytes a token) above it get a context-length error. */
  contextTokens?: number
}

export interface MockServerOptions {
  script?: MockScript
  rules?: Rules
  /** `sampled` checks the first requests and every fiftieth; `off` reads nothing. Default `strict`. */
  validate?: 'strict' | 'sampled' | 'off'
  /** Requests with another key get 401. Default: any key will do. */
  apiKey?: string
  /** What GET /models lists. */
  models?: readonly string[]
  port?: number
  /** Raw bodies beyond this many bytes are forgotten, oldest first. Default 128 MiB. */
  maxStoredBytes?: number
}
