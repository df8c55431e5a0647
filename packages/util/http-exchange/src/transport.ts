/** Keeps the connections to one host. Loads the HTTP client when the first request goes out. */

import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { EarlyConnection } from './early-connection.ts'
import type { ResponseHeaders } from './exchange.ts'

/** How long an idle connection is kept when the server does not say; tools run that long between two requests. */
const KEEP_ALIVE_MS = 30_000

/** One request to the transport's host. */
export interface TransportRequest {
  path: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string | Uint8Array
}

/** Steers a request that is under way. */
export interface RequestController {
  pause(): void
  resume(): void
  /** Closes the connection; `onResponseError` hears of it. */
  abort(error: Error): void
}

/** What becomes of a request: started, then head, data and end; or an error at any point, and nothing after it. */
export interface ResponseCallbacks {
  onRequestStart(controller: RequestController): void
  onResponseStart(status: number, headers: ResponseHeaders): void
  onResponseData(chunk: Uint8Array): void
  onResponseEnd(): void
  onResponseError(error: Error): void
}

/** Sends requests; one kind straight to the host, one through a proxy. */
export interface Client {
  send(request: TransportRequest, callbacks: ResponseCallbacks): void
  /** Opens a connection for the next request; absent where that cannot be done. */
  connect?(): void
  destroy(): Promise<void> | void
}

export interface TransportOptions {
  connectTimeoutMs: number
  env: NodeJS.ProcessEnv
  /** Makes the connections in place of the network; no proxy is asked then. */
  connect?: () => Duplex
}

export class Transport {
  private readonly origin: string
  private readonly connectTimeoutMs: number
  private readonly env: NodeJS.ProcessEnv
  private readonly connect: (() => Duplex) | undefined
  private client: Promise<Client> | Client | undefined
  private closed = false

  constructor(origin: string, { connectTimeoutMs, env, connect }: TransportOptions) {
    this.origin = origin
    this.connectTimeoutMs = connectTimeoutMs
    this.env = env
    this.connect = connect
  }

  /** Hands the request to the client; everything that follows comes through the callbacks. */
  async dispatch(request: TransportRequest, callbacks: ResponseCallbacks): Promise<void> {
    if (this.closed) throw new Error('the connections to this host have been closed')
    this.client ??= this.open()
    const client = await this.client
    client.send(request, callbacks)
  }

  /** Loads what the first request needs; connects to nobody. */
  async prepare(): Promise<void> {
    if (this.closed) return
    this.client ??= this.open()
    await this.client
    // The certificates of the authorities are read once, and take as long as a request does.
    if (this.origin.startsWith('https:')) process.getBuiltinModule('node:tls').createSecureContext()
  }

  /** Opens a connection for a request that is about to come, where no proxy stands between. It closes again when none comes within some seconds. */
  async connectEarly(): Promise<void> {
    if (this.closed) return
    this.client ??= this.open()
    const client = await this.client
    client.connect?.()
  }

  /** Ends every connection, those in use too. */
  async close(): Promise<void> {
    this.closed = true
    const client = await this.client
    await client?.destroy()
  }

  private open(): Promise<Client> | Client {
    const options = { connectTimeoutMs: this.connectTimeoutMs, keepAliveMs: KEEP_ALIVE_MS, ...(this.connect && { connect: this.connect }) }
    if (this.connect || !this.proxied()) return new DirectClient(new URL(this.origin), options)
    return import('./proxy-client.ts').then(({ ProxyClient }) => new ProxyClient(this.origin, options))
  }

  private proxied(): boolean {
    return ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'].some(name => Boolean(this.env[name]))
  }
}

/** How a client connects. */
export interface ClientOptions {
  connectTimeoutMs: number
  keepAliveMs: number
  connect?: () => Duplex
}

/** Node's own client. An `import` of it would touch exports that load half of Node: 25 ms, this way 3. */
class DirectClient implements Client {
  private readonly target: RequestOptions
  private readonly connectTimeoutMs: number
  private readonly request: (options: RequestOptions) => ClientRequest
  private readonly agent: Agent
  private readonly early = new EarlyConnection()
  private readonly openSocket: () => Socket

  constructor({ protocol, hostname, port }: URL, { connectTimeoutMs, keepAliveMs, connect }: ClientOptions) {
    const { Agent, request } = protocol === 'https:' ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http')
    this.agent = new Agent({ keepAlive: true, timeout: keepAliveMs })
    const host = hostname.replace(/^\[|\]$/g, '')
    const create = this.agent.createConnection.bind(this.agent) as (options: object, created?: unknown) => Socket
    this.agent.createConnection = connect ?? ((options, created) => this.early.take() ?? create(options, created))
    this.openSocket = () => create({ host, ...(protocol === 'https:' ? { port: port || 443, servername: nameOf(host) } : { port: port || 80 }) })
    this.request = request
    this.connectTimeoutMs = connectTimeoutMs
    this.target = { protocol, hostname: host, port, agent: this.agent }
  }

  send({ path, method, headers, body }: TransportRequest, callbacks: ResponseCallbacks): void {
    const outgoing = this.request({ ...this.target, path, method, headers })
    let incoming: IncomingMessage | undefined
    let over = false
    const settle = (tell: () => void): void => {
      if (over) return
      over = true
      tell()
    }
    const fail = (error: Error): void => settle(() => callbacks.onResponseError(error))
    this.watchConnecting(outgoing)
    outgoing.on('error', fail)
    outgoing.on('response', response => {
      incoming = response
      response.on('error', fail)
      response.on('data', chunk => void (over || callbacks.onResponseData(chunk)))
      response.on('end', () => settle(() => callbacks.onResponseEnd()))
      callbacks.onResponseStart(response.statusCode ?? 0, response.headers)
    })
    callbacks.onRequestStart({
      pause: () => void incoming?.pause(),
      resume: () => void incoming?.resume(),
      abort: error => void outgoing.destroy(error),
    })
    outgoing.end(body)
  }

  connect(): void {
    if (Object.keys(this.agent.freeSockets).length === 0) this.early.open(this.openSocket)
  }

  destroy(): void {
    this.early.close()
    this.agent.destroy()
  }

  /** Name resolution and handshake are part of it. */
  private watchConnecting(outgoing: ClientRequest): void {
    outgoing.once('socket', socket => {
      if (!socket.connecting) return
      const timer = setTimeout(() => outgoing.destroy(Object.assign(new Error(`no connection within ${this.connectTimeoutMs} ms`), { code: 'ETIMEDOUT' })), this.connectTimeoutMs)
      const stop = (): void => clearTimeout(timer)
      socket.once('encrypted' in socket ? 'secureConnect' : 'connect', stop)
      socket.once('close', stop)
    })
  }
}

/** What TLS asks for by name (RFC 6066): never an address. */
function nameOf(host: string): string {
  return process.getBuiltinModule('node:net').isIP(host) === 0 ? host : ''
}
