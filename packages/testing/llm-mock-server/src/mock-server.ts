/** A real HTTP server that speaks the chat-completions stream, follows a script, and checks every request. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { errorReply } from './answers.ts'
import { sendReply } from './send-reply.ts'
import { RequestValidator, sharedBytes, type Refusal } from './validate-request.ts'
import type { ChatBody, MockReply, MockRequest, MockScript, MockServerOptions, Violation } from './types.ts'

const SAMPLED_FIRST = 20
const SAMPLED_EVERY = 50
const MAX_STORED = 128 * 1024 * 1024

/**
 * Start it with `MockLlmServer.start`, point a client at `url`, and afterwards
 * read `requests` and expect `violations` to be empty. Whatever a strict
 * provider would refuse is answered with 400 and does not use up the script.
 */
export class MockLlmServer implements AsyncDisposable {
  readonly requests: MockRequest[] = []
  readonly violations: Violation[] = []
  private readonly options: MockServerOptions
  private readonly validator: RequestValidator
  private readonly server: Server
  private readonly lastBodies = new Map<string, Buffer>()
  /** How many connections clients have opened. */
  connections = 0
  private script: MockScript
  private cursor = 0
  private stored = 0
  private forgotten = 0

  private constructor(options: MockServerOptions) {
    this.options = options
    this.validator = new RequestValidator(options.rules)
    this.script = options.script ?? []
    // Long-lived and stalled connections are part of the tests; the server must not end them.
    this.server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0, headersTimeout: 0, noDelay: true }, (request, response) => {
      this.serve(request, response).catch((error: unknown) => this.report(error, response))
    })
    this.server.on('connection', () => void this.connections++)
  }

  /** A server that listens on the loopback interface. */
  static async start(options: MockServerOptions = {}): Promise<MockLlmServer> {
    const mock = new MockLlmServer(options)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    mock.server.once('error', reject)
    mock.server.listen(options.port ?? 0, '127.0.0.1', resolve)
    await promise
    return mock
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  /** What comes before `/chat/completions`. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Replaces the script; the next request gets its first reply. */
  use(script: MockScript): void {
    this.script = script
    this.cursor = 0
  }

  /** Closes every connection, as a server does that has been idle, and stays up. */
  dropConnections(): void {
    this.server.closeAllConnections()
  }

  /** Closes every connection, stalled ones too. */
  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.server.close(() => resolve())
    this.server.closeAllConnections()
    await promise
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  private async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (incoming.url ?? '/').split('?')[0] ?? '/'
    const body = await readBody(incoming)
    if (incoming.method === 'POST' && path.endsWith('/chat/completions')) return this.chat(incoming, body, response)
    if (incoming.method === 'GET') {
      if (path.endsWith('/models') && !this.knows(incoming)) return sendReply(noAccess(), response)
      const listed = this.list(path)
      if (listed !== undefined) return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(listed))
    }
    await sendReply(errorReply(404, `no route for ${incoming.method} ${path}`), response)
  }

  private async chat(incoming: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const request = this.record(incoming, body)
    response.on('close', () => {
      if (response.writableFinished) return
      request.aborted = true
      request.abortedAt = Date.now()
    })
    if (!this.knows(incoming)) return sendReply(noAccess(), response)
    const refusal = this.shouldCheck(request.index) ? this.validator.check(body, request.conversation) : undefined
    await sendReply(refusal ? this.refuse(request, refusal) : await this.reply(request), response)
  }

  /** Whether the key is the right one. */
  private knows({ headers: { authorization } }: IncomingMessage): boolean {
    return this.options.apiKey === undefined || authorization === `Bearer ${this.options.apiKey}`
  }

  private record(incoming: IncomingMessage, body: Buffer): MockRequest {
    const conversation = firstUserText(body)
    const last = this.lastBodies.get(conversation)
    const request = new RecordedRequest(this.requests.length, incoming, body)
    request.conversation = conversation
    request.sharedBytes = last ? sharedBytes(last, body) : 0
    this.lastBodies.set(conversation, body)
    this.requests.push(request)
    this.forget(body.length)
    return request
  }

  private forget(added: number): void {
    this.stored += added
    const most = this.options.maxStoredBytes ?? MAX_STORED
    while (this.stored > most && this.forgotten < this.requests.length - 1) {
      const oldest = this.requests[this.forgotten++]
      if (!oldest) return
      this.stored -= oldest.bytes
      oldest.rawBody = undefined
    }
  }

  private shouldCheck(index: number): boolean {
    const { validate = 'strict' } = this.options
    return validate === 'strict' || (validate === 'sampled' && (index < SAMPLED_FIRST || index % SAMPLED_EVERY === 0))
  }

  private refuse(request: MockRequest, { status, code, message }: Refusal): MockReply {
    // A full window is the client's fate, not its fault.
    if (code !== 'context_length_exceeded') this.violations.push({ request: request.index, message })
    return errorReply(status, { message, type: 'invalid_request_error', param: null, code })
  }

  private async reply(request: MockRequest): Promise<MockReply> {
    if (typeof this.script === 'function') return this.script(request)
    const step = this.script[this.cursor++]
    if (step !== undefined) return typeof step === 'function' ? step(request) : step
    const message = `the script of the mock server has ${this.script.length} replies and this is request ${this.cursor}`
    this.violations.push({ request: request.index, message })
    return errorReply(400, message)
  }

  /** A script that throws is a fault of the test, which has to see it. */
  private report(error: unknown, response: ServerResponse): void {
    this.violations.push({ request: this.requests.length - 1, message: `the script threw: ${String(error)}` })
    response.socket?.destroy()
  }

  private list(path: string): unknown {
    if (path.endsWith('/models')) return { object: 'list', data: (this.options.models ?? ['deepseek-flash', 'deepseek-v4-pro']).map(id => ({ id, object: 'model', owned_by: 'mock' })) }
    if (path === '/__mock/violations') return this.violations
    if (path === '/__mock/requests') return this.requests.map(({ index, bytes, sharedBytes: shared, receivedAt, conversation, aborted }) => ({ index, bytes, sharedBytes: shared, receivedAt, conversation, aborted }))
    return undefined
  }
}

class RecordedRequest implements MockRequest {
  readonly index: number
  readonly path: string
  readonly headers: MockRequest['headers']
  readonly receivedAt = Date.now()
  readonly bytes: number
  rawBody: Buffer | undefined
  sharedBytes = 0
  conversation = ''
  aborted = false
  abortedAt?: number

  constructor(index: number, incoming: IncomingMessage, body: Buffer) {
    this.index = index
    this.path = incoming.url ?? ''
    this.headers = incoming.headers
    this.rawBody = body
    this.bytes = body.length
  }

  get body(): ChatBody {
    if (!this.rawBody) throw new Error(`the body of request ${this.index} was forgotten; raise maxStoredBytes`)
    return JSON.parse(this.rawBody.toString('utf8')) as ChatBody
  }
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of incoming) pieces.push(piece as Buffer)
  return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)
}

/** Found by its bytes, so that a long conversation is not parsed only to learn its name. */
function firstUserText(body: Buffer): string {
  const at = body.indexOf('"role":"user"')
  if (at < 0) return ''
  const content = body.toString('utf8', at, at + 4096).match(/"(?:content|text)":("(?:[^"\\]|\\.)*")/)?.[1]
  if (content === undefined) return ''
  try {
    return JSON.parse(content) as string
  } catch {
    return '' // an illegal escape, which the validator reports
  }
}

function noAccess(): MockReply {
  return errorReply(401, { message: 'Authentication Fails (governor)', type: 'authentication_error', code: 'invalid_request_error' })
}
