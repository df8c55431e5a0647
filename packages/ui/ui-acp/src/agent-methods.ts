/** The methods of the protocol that an agent answers, each a few lines over the session table. */

import type * as Sdk from '@agentclientprotocol/sdk'
import type { Context } from 'cordis'
import { NO_OFFERS, readOffers, type ClientOffers } from '@deepseek-ai/dsh-acp-client'
import type { AcpSession } from './acp-session.ts'
import { initializeResponse, KEY_METHOD, type AgentFacts } from './capabilities.ts'
import { invalidParams, ProtocolError, RPC } from './errors.ts'
import type { Keys } from './keys.ts'
import { pageOf } from './list-sessions.ts'
import type { ModelDiscovery } from './model-discovery.ts'
import { readForkParams, readSteeringParams, steersTurn, type ForkParams, type SteeringParams } from './read-params.ts'
import type { SessionParams, SessionTable } from './session-table.ts'

export interface AgentMethodsOptions {
  ctx: Context
  facts: AgentFacts
  keys: Keys
  models: ModelDiscovery
  pageSize: number
  /** Called after the answer to a request that opened a session. */
  onOpened(session: AcpSession): void
}

/** What a session offers, as every answer that opens one tells it. */
interface Opened {
  configOptions: Sdk.SessionConfigOption[]
  modes?: Sdk.SessionModeState
}

export class AgentMethods {
  readonly #options: AgentMethodsOptions
  readonly #table: SessionTable
  #offers: ClientOffers = NO_OFFERS

  constructor(options: AgentMethodsOptions, tableFor: (offers: () => ClientOffers) => SessionTable) {
    this.#options = options
    this.#table = tableFor(() => this.#offers)
  }

  get offers(): ClientOffers {
    return this.#offers
  }

  get sessions(): SessionTable {
    return this.#table
  }

  initialize(request: Sdk.InitializeRequest): Sdk.InitializeResponse {
    this.#offers = readOffers(request.clientCapabilities)
    return initializeResponse(request, this.#options.facts)
  }

  async authenticate({ methodId }: Sdk.AuthenticateRequest): Promise<Sdk.AuthenticateResponse> {
    if (methodId !== KEY_METHOD) throw invalidParams(`there is no way to authenticate called "${methodId}"`)
    if (!(await this.#options.keys.use())) throw new ProtocolError('AUTH_REQUIRED', RPC.authRequired, 'there is no key: set DEEPSEEK_API_KEY, or run `dsh auth` in a terminal')
    return {}
  }

  async logout(): Promise<Sdk.LogoutResponse> {
    await this.#options.keys.forget()
    return {}
  }

  async create(params: SessionParams): Promise<Sdk.NewSessionResponse> {
    const session = await this.#table.create(params)
    return { sessionId: session.id, ...this.#opened(session) }
  }

  /** The whole history has been sent when this resolves. */
  async load({ sessionId, ...params }: Sdk.LoadSessionRequest): Promise<Sdk.LoadSessionResponse> {
    const session = await this.#table.resume(sessionId, params)
    await session.replayHistory()
    return this.#opened(session)
  }

  async resume({ sessionId, ...params }: Sdk.ResumeSessionRequest): Promise<Sdk.ResumeSessionResponse> {
    const session = await this.#table.resume(sessionId, params)
    return this.#opened(session)
  }

  async fork({ sessionId, ...params }: ForkParams): Promise<{ sessionId: string } & Opened> {
    const session = await this.#table.fork(sessionId, params)
    return { sessionId: session.id, ...this.#opened(session) }
  }

  async list({ cwd, cursor }: Sdk.ListSessionsRequest, signal: AbortSignal): Promise<Sdk.ListSessionsResponse> {
    const store = this.#options.ctx.get('sessionPersistence')
    if (!store) return { sessions: [] }
    return pageOf(await store.list(cwd === null || cwd === undefined ? {} : { cwd }, signal), cursor ?? undefined, this.#options.pageSize)
  }

  async close({ sessionId }: Sdk.CloseSessionRequest): Promise<Sdk.CloseSessionResponse> {
    if (!(await this.#table.close(sessionId))) this.#table.get(sessionId)
    return {}
  }

  /** One that is not there is as good as deleted. */
  async delete({ sessionId }: Sdk.DeleteSessionRequest, signal: AbortSignal): Promise<Sdk.DeleteSessionResponse> {
    await this.#table.close(sessionId)
    try {
      await this.#options.ctx.get('sessionPersistence')?.delete(sessionId, signal)
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'SESSION_NOT_FOUND') throw error
    }
    return {}
  }

  /** Hands the prompt on before it returns to the one who called. */
  async prompt({ sessionId, prompt, _meta }: Sdk.PromptRequest, signal: AbortSignal): Promise<Sdk.PromptResponse> {
    return await this.#table.get(sessionId).prompt(prompt, { signal, steers: steersTurn(_meta) })
  }

  cancel({ sessionId }: Sdk.CancelNotification): void {
    this.#table.own(sessionId)?.cancel()
  }

  /** The extension by which clients add to the turn that runs. */
  steer({ sessionId, prompt, startsTurn }: SteeringParams): { outcome: string; reason?: string } {
    const session = this.#table.get(sessionId)
    if (session.steer(prompt)) return { outcome: 'injected' }
    if (!startsTurn) return { outcome: 'promptRequired', reason: 'noRunningTurn' }
    // Its end answers nobody: whoever wants to know of it sends a prompt.
    session.prompt(prompt, { signal: new AbortController().signal, steers: false }).catch((error: unknown) => session.notice('error', 'The turn failed', String(error)))
    return { outcome: 'startedNewTurn' }
  }

  setMode({ sessionId, modeId }: Sdk.SetSessionModeRequest): Sdk.SetSessionModeResponse {
    this.#table.get(sessionId).configure('mode', modeId, 'options')
    return {}
  }

  setOption({ sessionId, configId, value }: Sdk.SetSessionConfigOptionRequest): Sdk.SetSessionConfigOptionResponse {
    const session = this.#table.get(sessionId)
    session.configure(configId, value, 'modes')
    return { configOptions: session.tellOptions() }
  }

  #opened(session: AcpSession): Opened {
    // After the answer, which tells the client of the session.
    setImmediate(() => this.#options.onOpened(session))
    this.#options.models.begin()
    const modes = session.options.modes()
    return { configOptions: session.tellOptions(), ...(modes && { modes }) }
  }
}

/** Gives the SDK's application every method; errors become those of the protocol. */
export function registerMethods(sdk: typeof Sdk, app: Sdk.AgentApp, methods: AgentMethods, onError: (error: unknown, sessionId?: string) => Error): void {
  const { session, initialize, authenticate, logout } = sdk.methods.agent
  const guarded = <P, R>(work: (params: P, signal: AbortSignal) => R | Promise<R>) => async ({ params, signal }: { params: P; signal: AbortSignal }): Promise<R> => {
    try {
      return await work(params, signal)
    } catch (error) {
      throw onError(error, (params as { sessionId?: string } | undefined)?.sessionId)
    }
  }
  app
    .onNotification(session.cancel, ({ params }) => methods.cancel(params))
    .onRequest(session.prompt, guarded((params, signal) => methods.prompt(params, signal)))
    .onRequest(initialize, guarded(params => methods.initialize(params)))
    .onRequest(authenticate, guarded(params => methods.authenticate(params)))
    .onRequest(logout, guarded(() => methods.logout()))
    .onRequest(session.new, guarded(params => methods.create(params)))
    .onRequest(session.load, guarded(params => methods.load(params)))
    .onRequest(session.resume, guarded(params => methods.resume(params)))
    .onRequest(session.list, guarded((params, signal) => methods.list(params, signal)))
    .onRequest(session.close, guarded(params => methods.close(params)))
    .onRequest(session.delete, guarded((params, signal) => methods.delete(params, signal)))
    .onRequest(session.setMode, guarded(params => methods.setMode(params)))
    .onRequest(session.setConfigOption, guarded(params => methods.setOption(params)))
    .onRequest('session/fork', params => params, guarded((params: unknown) => methods.fork(readForkParams(params))))
    .onRequest('_session/steering', params => params, guarded((params: unknown) => methods.steer(readSteeringParams(params))))
}
