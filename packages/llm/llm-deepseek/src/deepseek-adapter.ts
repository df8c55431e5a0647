/** The chat-completions protocol as DeepSeek and compatible servers speak it: request out, chunks back. */

import { Exchange, PushQueue, Transport } from '@deepseek-ai/dsh-http-exchange'
import { LlmAdapter, LlmError, type GenerateOptions, type Message, type ModelInfo, type StreamChunk } from '@deepseek-ai/dsh-llm'
import { AnswerReader } from './answer-reader.ts'
import { AnswerStream } from './answer-stream.ts'
import { endpointOf, keyOf, type DeepSeekConfig, type Endpoint } from './config.ts'
import { fetchModels } from './fetch-models.ts'
import { knownModel } from './models.ts'
import { RequestBodies, type RequestBody } from './request-bodies.ts'
import { responseError } from './response-error.ts'
import { encodeJson, encodeMessage, losesImage, type WireOptions } from './wire-messages.ts'

const USER_AGENT = 'dsh/0.1'

/** What the adapter takes from outside; a test brings its own. */
export interface AdapterSurroundings {
  env: NodeJS.ProcessEnv
  now: () => number
  /** Reports something mended or left out. */
  note: (message: string) => void
}

/** What is known of a request when its answer is read. */
interface Sent {
  endpoint: Endpoint
  key: string | undefined
  requestBytes: number
  /** Lets go of the connection. */
  stop: () => void
}

/** One instance per row: it keeps the connections and the bytes of the conversations. */
export class DeepSeekAdapter extends LlmAdapter {
  private readonly config: DeepSeekConfig
  private readonly around: AdapterSurroundings
  private readonly bodies = new RequestBodies()
  private transport: Transport | undefined
  private imageNoted = false

  /** `transport`: in place of one of its own. */
  constructor(config: DeepSeekConfig, around: AdapterSurroundings, transport?: Transport) {
    super()
    this.config = config
    this.around = around
    this.transport = transport
  }

  override stream(options: GenerateOptions): AsyncIterable<StreamChunk> {
    let exchange: Exchange | undefined
    const queue: PushQueue<StreamChunk> = new PushQueue({
      start: () => {
        try {
          exchange = this.begin(options, queue)
        } catch (error) {
          queue.fail(error)
        }
      },
      cancel: () => exchange?.stop(),
      pause: () => exchange?.pause(),
      resume: () => exchange?.resume(),
    })
    return queue
  }

  override info(model: string): ModelInfo | undefined {
    const known = knownModel(model, this.around.now())
    if (this.config.vision === undefined) return known
    return { ...(known ?? { name: model }), vision: this.config.vision }
  }

  override async prepare(model: string, signal: AbortSignal): Promise<void> {
    await this.open(endpointOf(this.config, this.around.env)).prepare()
    const { rehearse } = await import('./rehearse.ts')
    await rehearse(model, { config: this.config, around: this.around }, signal)
  }

  override async connect(): Promise<void> {
    await this.open(endpointOf(this.config, this.around.env)).connectEarly()
  }

  override async discover(signal: AbortSignal): Promise<ModelInfo[]> {
    const endpoint = endpointOf(this.config, this.around.env)
    const key = keyOf(this.config, this.around.env)
    const request = { path: `${endpoint.path}/models`, method: 'GET' as const, headers: this.headers(key, {}) }
    const ids = await fetchModels({ ...this.limits(endpoint, signal), request, transport: this.open(endpoint), secret: key, now: this.around.now })
    return ids.map(id => this.info(id) ?? { name: id })
  }

  /** Ends every connection. */
  async close(): Promise<void> {
    await this.transport?.close()
  }

  private begin(options: GenerateOptions, queue: PushQueue<StreamChunk>): Exchange | undefined {
    const { signal } = options
    if (signal.aborted) {
      queue.fail(signal.reason, true)
      return undefined
    }
    const endpoint = endpointOf(this.config, this.around.env)
    const key = keyOf(this.config, this.around.env)
    const body = this.body(options)
    const sink = this.sink(options, queue, { endpoint, key, requestBytes: body.bytes.length, stop: () => exchange.stop() })
    const exchange: Exchange = new Exchange(sink, { ...this.limits(endpoint, signal), released: () => body.release() })
    const headers = this.headers(key, { 'content-type': 'application/json', accept: 'text/event-stream' })
    void exchange.send(this.open(endpoint), { path: `${endpoint.path}/chat/completions`, method: 'POST', headers, body: body.bytes })
    return exchange
  }

  private sink(options: GenerateOptions, queue: PushQueue<StreamChunk>, sent: Sent): AnswerStream {
    const { now, note } = this.around
    const { requestBytes, key: secret, endpoint, stop } = sent
    const { host } = endpoint
    const reader = new AnswerReader({
      messages: options.messages,
      tools: new Set(options.tools?.map(tool => tool.name)),
      emit: chunk => queue.push(chunk),
      failure: text => responseError({ headers: {}, body: text, host, requestBytes, secret }, now()),
      note,
    })
    return new AnswerStream({
      host,
      requestBytes,
      secret,
      reader,
      eventTimeoutMs: this.config.eventTimeoutMs,
      finishTimeoutMs: this.config.finishTimeoutMs,
      now,
      done: () => {
        queue.end()
        stop()
      },
      failed: error => {
        queue.fail(error, options.signal.aborted)
        stop()
      },
    })
  }

  private body(options: GenerateOptions): RequestBody {
    const vision = this.info(options.model)?.vision ?? false
    const wire: WireOptions = { model: options.model, vision, reasoningReplay: this.config.reasoningReplay, thinking: this.config.thinking !== 'disabled' }
    const encode = (message: Message): string => {
      if (!vision && losesImage(message)) this.noteImage(options.model)
      return encodeMessage(message, wire)
    }
    const body = this.bodies.build({ ...this.head(options), messages: options.messages, encode })
    const { maxRequestBytes } = this.config
    if (body.bytes.length <= maxRequestBytes) return body
    body.release()
    throw new LlmError('CONTEXT_OVERFLOW', `the request is ${body.bytes.length} bytes; at most ${maxRequestBytes} may be sent (maxRequestBytes)`)
  }

  /** What never changes within a conversation stands first, so that each body is the beginning of the next. */
  private head({ model, system, tools, maxTokens, temperature, effort }: GenerateOptions): { head: string; headHasMessage: boolean } {
    const { thinking } = this.config
    const reasoningEffort = effort ?? this.config.reasoningEffort
    const fields: Record<string, unknown> = { model, stream: true, stream_options: { include_usage: true } }
    if (thinking !== undefined) fields.thinking = { type: thinking }
    if (reasoningEffort !== undefined && thinking !== 'disabled') fields.reasoning_effort = reasoningEffort
    if (maxTokens !== undefined) fields.max_tokens = maxTokens
    if (temperature !== undefined) fields.temperature = temperature
    if (tools !== undefined && tools.length > 0) {
      fields.tools = tools.map(({ name, description, parameters, strict }) => ({ type: 'function', function: { name, description, parameters, ...(strict === true && { strict }) } }))
    }
    const first = system === undefined || system === '' ? '' : encodeJson({ role: 'system', content: system })
    return { head: `${encodeJson(fields).slice(0, -1)},"messages":[${first}`, headHasMessage: first !== '' }
  }

  private headers(key: string | undefined, own: Record<string, string>): Record<string, string> {
    const auth: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
    const extra = Object.fromEntries(Object.entries(this.config.headers).map(([name, value]) => [name.toLowerCase(), value]))
    return { 'user-agent': USER_AGENT, ...own, ...auth, ...extra }
  }

  private limits({ host }: Endpoint, signal: AbortSignal): { host: string; firstByteTimeoutMs: number; idleTimeoutMs: number; signal: AbortSignal } {
    const { firstByteTimeoutMs, idleTimeoutMs } = this.config
    return { host, firstByteTimeoutMs, idleTimeoutMs, signal }
  }

  private open({ origin }: Endpoint): Transport {
    this.transport ??= new Transport(origin, { connectTimeoutMs: this.config.connectTimeoutMs, env: this.around.env })
    return this.transport
  }

  private noteImage(model: string): void {
    if (this.imageNoted) return
    this.imageNoted = true
    this.around.note(`the model ${model} cannot see images; they are replaced by a line of text in what it is sent`)
  }
}
