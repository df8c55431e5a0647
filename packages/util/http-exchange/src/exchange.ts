/** One HTTP request and its response: the callbacks of the client, the watchdog, and the abort, settled once. */

import { HttpExchangeError } from './errors.ts'
import { networkError } from './network-error.ts'
import type { RequestController, ResponseCallbacks, Transport, TransportRequest } from './transport.ts'

/** Names in lower case. */
export type ResponseHeaders = Record<string, string | string[] | undefined>

/** Who reads the response. A callback that throws ends the exchange with what it threw. */
export interface ResponseSink {
  head(status: number, headers: ResponseHeaders): void
  data(bytes: Uint8Array): void
  /** The body is complete. */
  end(): void
  /** The response broke off; called once, and nothing after it. */
  fail(error: unknown): void
}

export interface ExchangeOptions {
  host: string
  firstByteTimeoutMs: number
  idleTimeoutMs: number
  signal: AbortSignal
  /** The body has left, or never will: its bytes are free. */
  released: () => void
}

/** Create it, `send` it once. After `end` or `fail` it is over. */
export class Exchange {
  private readonly sink: ResponseSink
  private readonly options: ExchangeOptions
  private readonly onAbort: () => void
  private controller: RequestController | undefined
  private timer: NodeJS.Timeout | undefined
  /** The status line has arrived. */
  private answering = false
  /** The first byte of the body has arrived. */
  private begun = false
  private over = false
  private stopped: Error | undefined
  private free = false

  constructor(sink: ResponseSink, options: ExchangeOptions) {
    this.sink = sink
    this.options = options
    this.onAbort = () => this.fail(this.options.signal.reason)
  }

  /** Never rejects: failures go to the sink. */
  async send(transport: Transport, request: TransportRequest): Promise<void> {
    const { signal, firstByteTimeoutMs } = this.options
    if (signal.aborted) {
      this.release()
      return this.onAbort()
    }
    signal.addEventListener('abort', this.onAbort, { once: true })
    this.watch(firstByteTimeoutMs)
    try {
      await transport.dispatch(request, this.callbacks())
    } catch (error) {
      this.release()
      this.fail(networkError(error, this.options.host, false))
    }
  }

  /** Ends the exchange without a word to the sink and closes the connection unless the response was complete. */
  stop(): void {
    if (this.over) return
    this.settle()
    this.cut(new Error('the request was abandoned'))
  }

  pause(): void {
    if (this.over) return
    clearTimeout(this.timer)
    this.controller?.pause()
  }

  resume(): void {
    if (this.over) return
    this.watch(this.options.idleTimeoutMs)
    this.controller?.resume()
  }

  private callbacks(): ResponseCallbacks {
    return {
      onRequestStart: controller => {
        this.controller = controller
        if (this.stopped) controller.abort(this.stopped)
      },
      onResponseStart: (status, headers) => {
        this.answering = true
        this.guarded(() => this.sink.head(status, headers))
      },
      onResponseData: chunk => {
        this.heard()
        this.guarded(() => this.sink.data(chunk))
      },
      onResponseEnd: () => {
        this.release()
        this.end()
      },
      onResponseError: error => {
        this.release()
        this.fail(networkError(error, this.options.host, this.answering))
      },
    }
  }

  /** Anything counts as a sign of life, a keep-alive comment too. */
  private heard(): void {
    if (this.over) return
    if (this.begun) {
      this.timer?.refresh()
      return
    }
    this.begun = true
    this.release()
    this.watch(this.options.idleTimeoutMs)
  }

  private guarded(read: () => void): void {
    if (this.over) return
    try {
      read()
    } catch (error) {
      this.fail(error)
    }
  }

  private end(): void {
    if (this.over) return
    this.settle()
    try {
      this.sink.end()
    } catch (error) {
      this.sink.fail(error)
    }
  }

  private watch(timeoutMs: number): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.fail(this.timeout(timeoutMs)), timeoutMs)
  }

  private timeout(timeoutMs: number): HttpExchangeError {
    const { host } = this.options
    const what = this.begun ? 'went silent in the middle of the answer' : 'did not begin to answer'
    return new HttpExchangeError('TIMEOUT', `${host} ${what} within ${timeoutMs / 1000} s`)
  }

  private fail(error: unknown): void {
    if (this.over) return
    this.settle()
    this.cut(error instanceof Error ? error : new Error(String(error)))
    this.sink.fail(error)
  }

  private settle(): void {
    this.over = true
    clearTimeout(this.timer)
    this.options.signal.removeEventListener('abort', this.onAbort)
  }

  private cut(error: Error): void {
    this.stopped = error
    this.controller?.abort(error)
  }

  private release(): void {
    if (this.free) return
    this.free = true
    this.options.released()
  }
}
