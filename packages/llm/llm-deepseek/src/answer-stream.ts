/** One answer on its way: reads the response as what it is and feeds the chunk queue. */

import type { ResponseHeaders, ResponseSink } from '@deepseek-ai/dsh-http-exchange'
import { LlmError } from '@deepseek-ai/dsh-llm'
import { SseParser } from '@deepseek-ai/dsh-sse'
import type { AnswerReader } from './answer-reader.ts'
import { asLlmError, notTheProtocol, responseError, type Refused } from './response-error.ts'

/** As much of a refusal or of a page as is read. */
const MAX_ERROR_BYTES = 64 * 1024
/** How long the end of the response may lag behind the end marker; a connection that has ended properly is used again. */
const GRACE_MS = 30
/** A whole answer as one JSON text, from servers that do not stream. */
const MAX_JSON_BYTES = 32 * 1024 * 1024

/** What the stream needs of its surroundings. */
export interface AnswerStreamOptions {
  host: string
  requestBytes: number
  secret: string | undefined
  reader: AnswerReader
  /** How long keep-alive comments may stand in for events. */
  eventTimeoutMs: number
  /** How long the end marker may lag behind the finish reason. */
  finishTimeoutMs: number
  now: () => number
  /** The answer is complete, and nothing more of the response is wanted. */
  done: () => void
  /** There will be no answer, and nothing more of the response is wanted. */
  failed: (error: unknown) => void
}

/** What kind of body comes, decided by its head. */
type Body = { kind: 'events' } | { kind: 'json' } | { kind: 'refusal' } | { kind: 'page'; what: string }

export class AnswerStream implements ResponseSink {
  private readonly options: AnswerStreamOptions
  private readonly parser: SseParser
  private status = 0
  private headers: ResponseHeaders = {}
  private body: Body = { kind: 'events' }
  private collected: Uint8Array[] = []
  private size = 0
  private lastEvent: number
  private events = 0
  /** Nothing of the response counts any more. */
  private closed = false
  /** Says how it went, once the response has ended or the grace is over. */
  private tell: (() => void) | undefined
  private grace: NodeJS.Timeout | undefined
  /** Ends the wait for an end marker that does not come. */
  private overdue: NodeJS.Timeout | undefined

  constructor(options: AnswerStreamOptions) {
    this.options = options
    this.lastEvent = options.now()
    this.parser = new SseParser(payload => this.event(payload))
  }

  head(status: number, headers: ResponseHeaders): void {
    this.status = status
    this.headers = headers
    this.body = bodyOf(status, headers)
    // A redirect could lead the key to another host, so it is never followed.
    if (status >= 300 && status < 400) throw notTheProtocol(this.refused(''), `a redirect to ${hostOf(headers.location)}`)
  }

  data(bytes: Uint8Array): void {
    if (this.closed) return
    if (this.body.kind !== 'events') return this.collect(bytes)
    this.parser.push(bytes)
    if (!this.closed && this.options.now() - this.lastEvent > this.options.eventTimeoutMs) {
      throw new LlmError('TIMEOUT', `${this.options.host} sent keep-alive comments and no event for ${this.options.eventTimeoutMs / 1000} s`)
    }
  }

  end(): void {
    // The client offers the connection again only after bookkeeping of its own,
    // which it does in the turn after this one; a request before that opens another.
    setImmediate(() => setImmediate(() => this.tellNow()))
    if (this.closed) return
    if (this.body.kind === 'events') {
      this.parser.end()
      if (!this.closed) this.conclude()
      return
    }
    const text = Buffer.concat(this.collected).toString('utf8')
    if (this.body.kind === 'refusal') throw responseError(this.refused(text), this.options.now())
    if (this.body.kind === 'page') throw notTheProtocol(this.refused(text), this.body.what)
    this.options.reader.read(text.trim() === '' ? '{}' : text)
    this.conclude()
  }

  fail(reported: unknown): void {
    clearTimeout(this.overdue)
    if (this.closed) return this.tellNow()
    const error = asLlmError(reported)
    // After a finish reason nothing of the answer can be missing.
    if (error instanceof LlmError && error.code === 'STREAM_CLOSED' && this.options.reader.finished) {
      this.finish()
      return this.tellNow()
    }
    // A refusal that broke off still says more than the broken connection.
    const refusal = this.body.kind === 'refusal' && error instanceof LlmError && error.code === 'STREAM_CLOSED'
    const shown = refusal ? responseError(this.refused(Buffer.concat(this.collected).toString('utf8')), this.options.now()) : error
    this.closed = true
    this.options.failed(shown)
  }

  private event(payload: string): void {
    if (this.closed) return // bytes after the end marker
    this.events++
    this.lastEvent = this.options.now()
    if (payload.length < 10 && payload.trim() === '[DONE]') return this.finish()
    this.options.reader.read(payload)
    if (this.options.reader.finished) this.awaitEnd()
  }

  /** Nothing of the answer can be missing any more; usage may follow, and some servers never end. */
  private awaitEnd(): void {
    clearTimeout(this.overdue)
    this.overdue = setTimeout(() => {
      if (!this.closed) this.finish()
    }, this.options.finishTimeoutMs)
  }

  /** The response has ended without an end marker. */
  private conclude(): void {
    if (this.options.reader.finished) return this.finish()
    const what = this.events === 0 ? 'ended the answer before it began' : 'ended the answer in the middle'
    throw new LlmError('STREAM_CLOSED', `${this.options.host} ${what}`, { status: this.status })
  }

  private finish(): void {
    const { reader, done, failed } = this.options
    this.closed = true
    clearTimeout(this.overdue)
    try {
      reader.close()
      this.tell = done
    } catch (error) {
      this.tell = () => failed(error)
    }
    this.grace = setTimeout(() => this.tellNow(), GRACE_MS)
  }

  private tellNow(): void {
    clearTimeout(this.grace)
    const { tell } = this
    this.tell = undefined
    tell?.()
  }

  private collect(bytes: Uint8Array): void {
    const most = this.body.kind === 'json' ? MAX_JSON_BYTES : MAX_ERROR_BYTES
    this.size += bytes.length
    if (this.size <= most) {
      this.collected.push(bytes)
      return
    }
    // What has been read says enough, and the rest may never end.
    if (this.body.kind === 'json') throw new LlmError('MALFORMED_RESPONSE', `${this.options.host} sent more than ${most} bytes as one answer`)
    this.collected.push(bytes.subarray(0, Math.max(0, bytes.length - (this.size - most))))
    this.end()
  }

  private refused(body: string): Refused {
    const { host, requestBytes, secret } = this.options
    return { status: this.status, headers: this.headers, body, host, requestBytes, secret }
  }
}

function bodyOf(status: number, headers: ResponseHeaders): Body {
  if (status >= 400) return { kind: 'refusal' }
  if (status !== 200) return { kind: 'page', what: `HTTP ${status}` }
  const type = String(headers['content-type'] ?? '').toLowerCase()
  if (type.includes('html')) return { kind: 'page', what: 'an HTML page' }
  return type.includes('json') && !type.includes('ndjson') ? { kind: 'json' } : { kind: 'events' }
}

function hostOf(location: string | string[] | undefined): string {
  const target = String(location ?? '')
  return URL.canParse(target) ? new URL(target).host : 'another path'
}
