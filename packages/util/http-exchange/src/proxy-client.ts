/** Sends requests through the proxy that the environment names. Loaded only where it names one. */

import type { Dispatcher } from 'undici'
import connect from 'undici/lib/api/api-connect.js'
import DispatcherClass from 'undici/lib/dispatcher/dispatcher.js'
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js'
import type { Client, ClientOptions, ResponseCallbacks, TransportRequest } from './transport.ts'

export class ProxyClient implements Client {
  private readonly origin: string
  private readonly dispatcher: Dispatcher

  constructor(origin: string, { connectTimeoutMs, keepAliveMs }: ClientOptions) {
    this.origin = origin
    // A tunnel is opened by it, and only the index of the package, which is not loaded, adds it.
    DispatcherClass.prototype.connect = connect
    this.dispatcher = new EnvHttpProxyAgent({ connectTimeout: connectTimeoutMs, keepAliveTimeout: keepAliveMs, allowH2: false })
  }

  send(request: TransportRequest, callbacks: ResponseCallbacks): void {
    // Both timeouts are the exchange's: it knows whether anything was heard at all.
    this.dispatcher.dispatch({ ...request, origin: this.origin, headersTimeout: 0, bodyTimeout: 0 }, {
      onRequestStart: controller => callbacks.onRequestStart(controller),
      onResponseStart: (_controller, status, headers) => callbacks.onResponseStart(status, headers),
      onResponseData: (_controller, chunk) => callbacks.onResponseData(chunk),
      onResponseEnd: () => callbacks.onResponseEnd(),
      onResponseError: (_controller, error) => callbacks.onResponseError(error),
    })
  }

  destroy(): Promise<void> {
    return this.dispatcher.destroy()
  }
}
