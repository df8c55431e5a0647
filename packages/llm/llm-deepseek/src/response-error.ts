/** Turns what a provider says when it refuses into an `LlmError`: the code, a short extract, the wait. Pure. */

import { HttpExchangeError, parseRetryAfter } from '@deepseek-ai/dsh-http-exchange'
import { LlmError, type LlmErrorCode, type LlmErrorOptions } from '@deepseek-ai/dsh-llm'
import { SseTooLargeError } from '@deepseek-ai/dsh-sse'
import { clipEnd, stripControls } from '@deepseek-ai/dsh-text'

/** More of a body than this is never shown. */
const LONGEST_EXTRACT = 300
/** A refusal without a word for a request this large is taken as "too long". */
const SUSPICIOUS_BYTES = 256 * 1024

const OVERFLOW = /context[_ ]?length|context window|context size|maximum context|max(imum)? (prompt|input|model) len|(prompt|input|request)\b.{0,60}\btoo (long|large)|too many (input )?tokens|(input|prompt|token)s?\b.{0,60}\bexceed|exceeds? the (model'?s? |available )?(context|limit|maximum (number of )?tokens)|reduce the length/i
const QUOTA = /insufficient[_ ](quota|balance|credit|funds)|exceeded your (current )?quota|billing|out of credits?|payment required|balance is not enough/i
const AUTH = /authentication|unauthori[sz]ed|invalid api key|incorrect api key|api key (not|is in)valid|permission[_ ]denied/i
const RATE = /rate[_ -]?limit|too many requests|concurrency limit/i
const INVALID = /invalid[_ ]request/i

/** A refusal as it arrived. */
export interface Refused {
  /** Absent for an error frame inside a stream. */
  status?: number
  headers: Record<string, string | string[] | undefined>
  body: string
  /** The host that answered, for the message. */
  host: string
  requestBytes: number
  /** Never shown, even when the provider repeats it. */
  secret: string | undefined
}

/** What the body says: a message, and the words by which the provider classifies it. */
interface Said {
  text: string
  kind: string
  status: number | undefined
}

/** The error for a status that is not a success, or for an error object inside a success. */
export function responseError(refused: Refused, now: number): LlmError {
  const said = readBody(refused)
  const status = refused.status ?? said.status
  const code = classify(status, said, refused)
  const options: LlmErrorOptions = {}
  if (status !== undefined) options.status = status
  const retryAfterMs = parseRetryAfter(refused.headers, now)
  if (retryAfterMs !== undefined) options.retryAfterMs = retryAfterMs
  const where = status === undefined ? refused.host : `${refused.host} (HTTP ${status})`
  const extract = said.text === '' ? '' : `: ${said.text}`
  const wait = retryAfterMs === undefined ? '' : `; it asks to wait ${Math.ceil(retryAfterMs / 1000)} s`
  return new LlmError(code, `${sentence(code)} ${where}${extract}${wait}${hint(code)}`, options)
}

/** The error for an answer that is not the protocol at all: a page, a redirect, a status without a body. */
export function notTheProtocol(refused: Refused, what: string): LlmError {
  const { text } = readBody(refused)
  const options = refused.status === undefined ? {} : { status: refused.status }
  return new LlmError('MALFORMED_RESPONSE', `${refused.host} answered with ${what} instead of a model stream${text === '' ? '' : `: ${text}`}; check the base URL and any proxy between`, options)
}

/** Failures of the connection keep their code; what is not one of ours (the signal's reason) stays as it is. */
export function asLlmError(error: unknown): unknown {
  if (error instanceof HttpExchangeError) return new LlmError(error.code, error.message, { cause: error.cause })
  return error instanceof SseTooLargeError ? new LlmError('MALFORMED_RESPONSE', `the provider sent ${error.message}`) : error
}

/** A short, printable extract of a body: the message of a JSON error, the title of a page, else its beginning. */
export function extractOf(body: string, secret: string | undefined): string {
  const page = /^\s*(<!doctype|<html|<\?xml|<head|<body)/i.test(body)
  const raw = page ? (body.match(/<title[^>]*>([^<]*)/i)?.[1] ?? 'an HTML page without a title') : body
  const shown = secret !== undefined && secret !== '' ? raw.replaceAll(secret, '[key]') : raw
  const line = stripControls(shown.slice(0, 20 * LONGEST_EXTRACT)).replace(/\s+/g, ' ').trim()
  return line.length > LONGEST_EXTRACT ? `${clipEnd(line, LONGEST_EXTRACT)}…` : line
}

function readBody({ body, secret }: Refused): Said {
  const parsed = parse(body)
  const error = isObject(parsed) ? (parsed.error ?? parsed) : undefined
  if (typeof error === 'string') return { text: extractOf(error, secret), kind: '', status: undefined }
  if (!isObject(error)) return { text: extractOf(body, secret), kind: '', status: undefined }
  const message = [error.message, error.detail, error.msg].find(value => typeof value === 'string')
  const text = typeof message === 'string' ? message : body
  const kind = [error.type, error.code].filter(value => typeof value === 'string').join(' ')
  const code = Number(error.code ?? error.status)
  return { text: extractOf(text, secret), kind, status: Number.isInteger(code) && code >= 400 && code < 600 ? code : undefined }
}

function classify(status: number | undefined, { text, kind }: Said, refused: Refused): LlmErrorCode | `HTTP_${number}` {
  const words = `${kind} ${text}`
  if (status === 402 || QUOTA.test(words)) return 'QUOTA'
  // A limit on tokens per minute also speaks of tokens and limits, so 429 is never an overflow.
  if (status === 429 || (status === undefined && RATE.test(words))) return 'RATE_LIMIT'
  if (status === 401 || status === 403) return 'AUTH'
  if (status === 413 || OVERFLOW.test(words)) return 'CONTEXT_OVERFLOW'
  if (status === undefined) return AUTH.test(words) ? 'AUTH' : INVALID.test(words) ? 'INVALID_REQUEST' : 'SERVER'
  if (status === 400 && text === '' && refused.requestBytes > SUSPICIOUS_BYTES) return 'CONTEXT_OVERFLOW'
  if (status === 400 || status === 404 || status === 422) return 'INVALID_REQUEST'
  return status >= 500 ? 'SERVER' : `HTTP_${status}`
}

function sentence(code: string): string {
  switch (code) {
    case 'AUTH':
      return 'the key was refused by'
    case 'QUOTA':
      return 'the account has nothing left at'
    case 'RATE_LIMIT':
      return 'too many requests for'
    case 'CONTEXT_OVERFLOW':
      return 'the request is too long for'
    case 'SERVER':
      return 'the provider failed:'
    default:
      return 'the request was refused by'
  }
}

function hint(code: string): string {
  return code === 'AUTH' ? '; /login or dsh auth takes another key, or set DEEPSEEK_API_KEY or apiKey of the row llm-deepseek' : ''
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined // any other text is shown as it is
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
