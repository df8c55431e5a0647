/** Failures as the protocol names them, and the one place where ours become such. */

import type * as Sdk from '@agentclientprotocol/sdk'
import { ContentError } from '@deepseek-ai/dsh-acp-content'
import { describeError, HarnessError, isHarnessError } from '@deepseek-ai/dsh-errors'
import { describeSessionError } from '@deepseek-ai/dsh-front-door'

/** The numbers of JSON-RPC and of the protocol. */
export const RPC = { invalidParams: -32602, internal: -32603, authRequired: -32000, notFound: -32002 } as const

export type ProtocolErrorCode =
  /** A parameter cannot be used. */
  | 'INVALID_PARAMS'
  /** No session of that id is open on this connection, or none is stored. */
  | 'SESSION_NOT_FOUND'
  /** The model wants a key. */
  | 'AUTH_REQUIRED'
  /** The turn failed. */
  | 'TURN_FAILED'
  /** The editor did not answer, or answered with an error. */
  | 'CLIENT_FAILED'

export class ProtocolError extends HarnessError {
  readonly rpcCode: number
  readonly data: Record<string, unknown> | undefined

  constructor(code: ProtocolErrorCode, rpcCode: number, message: string, data?: Record<string, unknown>) {
    super(code, message)
    this.rpcCode = rpcCode
    this.data = data
  }
}

export function invalidParams(message: string): ProtocolError {
  return new ProtocolError('INVALID_PARAMS', RPC.invalidParams, message)
}

export function unknownSession(sessionId: string): ProtocolError {
  return new ProtocolError('SESSION_NOT_FOUND', RPC.notFound, `there is no session ${sessionId}`, { sessionId })
}

/** What the client is answered when a handler throws; errors of the SDK pass. */
export function toRequestError({ RequestError }: typeof Sdk, error: unknown, sessionId?: string): Error {
  if (error instanceof RequestError) return error
  if (error instanceof ProtocolError) return new RequestError(error.rpcCode, error.message, { code: error.code, ...error.data })
  const code = isHarnessError(error) ? error.code : undefined
  const data = { ...(code !== undefined && { code }), ...(sessionId !== undefined && { sessionId }), details: describeError(error) }
  if (error instanceof ContentError) return new RequestError(RPC.invalidParams, error.message, data)
  if (code === 'SESSION_NOT_FOUND') return new RequestError(RPC.notFound, sessionId === undefined ? describeError(error) : `there is no session ${sessionId}`, data)
  if (code === 'SESSION_AMBIGUOUS' || code === 'INVALID_HEADER') return new RequestError(RPC.invalidParams, describeError(error), data)
  return new RequestError(RPC.internal, describeSessionError(error, sessionId), data)
}
