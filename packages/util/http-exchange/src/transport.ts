/** Keeps the connections to one host. Loads the HTTP client when the first request goes out. */

import type { Dispatcher } from 'undici'

/** How long an idle connection is kept when the server does not say; tools run that long between two requests. */
const KEEP_ALIVE_MS = 30_000

/** One request to the transport's host. */
export type TransportRequest = Omit<Dispatcher.DispatchOptions, 'origin'>

export class Transport {
  private readonly origin: string
  private readonly connectTimeoutMs: number
  private readonly env: NodeJS.ProcessEnv
  private dispatcher: Promise<Dispatcher> | undefined
  private closed = false

  constructor(origin: string, options: { connectTimeoutMs: number; env: NodeJS.ProcessEnv }) {
    this.origin = origin
    this.connectTimeoutMs = options.connectTimeoutMs
    this.env = options.env
  }

  /** Hands the request to the client; everything that follows comes through the callbacks. */
  async dispatch(request: TransportRequest, callbacks: Dispatcher.DispatchHandler): Promise<void> {
    if (this.closed) throw new Error('the connections to this host have been closed')
    this.dispatcher ??= this.open()
    const dispatcher = await this.dispatcher
    // Both timeouts are ours: the watchdog knows whether anything was heard at all.
    dispatcher.dispatch({ ...request, origin: this.origin, headersTimeout: 0, bodyTimeout: 0 }, callbacks)
  }

  /** Ends every connection, those in use too. */
  async close(): Promise<void> {
    this.closed = true
    const dispatcher = await this.dispatcher
    await dispatcher?.destroy()
  }

  private async open(): Promise<Dispatcher> {
    const options = { connectTimeout: this.connectTimeoutMs, keepAliveTimeout: KEEP_ALIVE_MS, allowH2: false }
    if (this.proxied()) {
      const { default: EnvHttpProxyAgent } = await import('undici/lib/dispatcher/env-http-proxy-agent.js')
      return new EnvHttpProxyAgent(options)
    }
    const { default: Pool } = await import('undici/lib/dispatcher/pool.js')
    return new Pool(this.origin, options)
  }

  private proxied(): boolean {
    return ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'].some(name => Boolean(this.env[name]))
  }
}
