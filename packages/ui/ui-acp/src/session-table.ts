/** The sessions that are open on the connection: opened once each, however often they are asked for, and closed together. */

import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import type { McpServer } from '@agentclientprotocol/sdk'
import type { Context } from 'cordis'
import type { ClientOffers, UpdateQueue } from '@deepseek-ai/dsh-acp-client'
import type { AgentOptions } from '@deepseek-ai/dsh-agent'
import { openAgent, type OpenedAgent, type RunRequest, type SessionStart } from '@deepseek-ai/dsh-front-door'
import { PersistenceError, type SessionPersistence } from '@deepseek-ai/dsh-session-persistence'
import { AcpSession } from './acp-session.ts'
import { invalidParams, unknownSession } from './errors.ts'
import { toolViews } from './tool-views.ts'

/** What a client says about a session that it wants. */
export interface SessionParams {
  cwd: string
  additionalDirectories?: readonly string[] | null
  mcpServers?: readonly McpServer[] | null
}

export interface SessionTableOptions {
  ctx: Context
  queue: UpdateQueue
  offers(): ClientOffers
  discovered: () => readonly string[]
}

export class SessionTable {
  readonly #options: SessionTableOptions
  readonly #open = new Map<string, AcpSession>()
  /** Being opened: asked for again meanwhile, it is the same. */
  readonly #opening = new Map<string, Promise<AcpSession>>()
  readonly #life = new AbortController()

  constructor(options: SessionTableOptions) {
    this.#options = options
  }

  /** Throws -32002. */
  get(id: string): AcpSession {
    const session = this.#open.get(id)
    if (!session) throw unknownSession(id)
    return session
  }

  /** Also by the id of an agent that works for one of them. */
  find(id: string): AcpSession | undefined {
    const { sessions } = this.#options.ctx
    const seen = new Set<string>()
    for (let at: string | undefined = id; at !== undefined && !seen.has(at); at = sessions.get(at)?.header.parentSession) {
      const found = this.#open.get(at)
      if (found) return found
      seen.add(at)
    }
    return undefined
  }

  /** Only by its own id. */
  own(id: string): AcpSession | undefined {
    return this.#open.get(id)
  }

  list(): AcpSession[] {
    return [...this.#open.values()]
  }

  /** Throws -32602 for a directory that cannot be. */
  async create(params: SessionParams): Promise<AcpSession> {
    return await this.#begin({ kind: 'new' }, params)
  }

  /** A new session that begins with what another has come to; what a running turn has done so far stays out. */
  async fork(from: string, params: SessionParams): Promise<AcpSession> {
    const store = this.#store()
    await checkDirectories(params)
    const live = this.#open.get(from)?.agent.session
    if (live) await this.#options.ctx.root.parallel('session/flush', live)
    const lastEnd = live?.settledEvents.findLast(event => event.type === 'turn/end')?.seq
    if (live && lastEnd === undefined) return await this.#begin({ kind: 'new' }, params)
    const until = live?.openTurn === undefined ? undefined : lastEnd
    const id = await store.find(from, this.#life.signal)
    if (id !== from) throw unknownSession(from)
    return await this.#begin({ kind: 'fork', from, ...(until !== undefined && { until }) }, params)
  }

  /** A stored session, or the one that is open already. */
  async resume(id: string, params: SessionParams): Promise<AcpSession> {
    const open = this.#open.get(id) ?? (await this.#opening.get(id))
    if (open) {
      await refuseOtherDirectory(open.agent.session.header.cwd, params.cwd)
      return open
    }
    const opening = this.#resume(id, params)
    this.#opening.set(id, opening)
    try {
      return await opening
    } finally {
      this.#opening.delete(id)
    }
  }

  /** False when it is not open. One that is being opened is closed as soon as it is open. */
  async close(id: string): Promise<boolean> {
    await Promise.allSettled([this.#opening.get(id)])
    const session = this.#open.get(id)
    if (!session) return false
    this.#open.delete(id)
    await session.close()
    await this.#options.ctx.get('sessionPersistence')?.settled(id)
    return true
  }

  async closeAll(): Promise<void> {
    this.#life.abort(new Error('the client has gone'))
    await Promise.allSettled(this.#opening.values())
    await Promise.all([...this.#open.keys()].map(id => this.close(id)))
  }

  async #resume(id: string, params: SessionParams): Promise<AcpSession> {
    await checkDirectories(params)
    // Prefixes are for people: a client means exactly the session that it names.
    if ((await this.#store().find(id, this.#life.signal)) !== id) throw unknownSession(id)
    return await this.#begin({ kind: 'resume', id }, params)
  }

  async #begin(start: SessionStart, params: SessionParams): Promise<AcpSession> {
    const { ctx, queue, offers, discovered } = this.#options
    await checkDirectories(params)
    const mcpServers = params.mcpServers ?? []
    const handle = await openAgent(ctx, this.#request(start, params), this.#life.signal)
    const { agent } = handle
    try {
      this.#life.signal.throwIfAborted()
      if (start.kind === 'resume') await refuseOtherDirectory(agent.session.header.cwd, params.cwd)
    } catch (error) {
      await handle.dispose()
      throw error
    }
    this.#keepModel(handle)
    const session = new AcpSession({ ctx, handle, queue, views: toolViews(ctx, agent.scope), hasNotices: offers().notices, mcpServers, discovered })
    this.#open.set(session.id, session)
    return session
  }

  #request(start: SessionStart, { cwd, additionalDirectories }: SessionParams): RunRequest {
    const { request } = this.#options.ctx.frontDoor
    const directories = additionalDirectories ?? []
    const agentOptions: AgentOptions = { ...request.agentOptions, ...(directories.length > 0 && { directories, systemPrompt: describeDirectories(directories) }) }
    return { cwd: resolve(cwd), agentOptions, verbosity: request.verbosity, session: { start, isStored: true } }
  }

  /** A session goes on with the model that it had, where somebody still serves it. */
  #keepModel({ agent, stored }: OpenedAgent): void {
    const last = stored && agent.session.settledEvents.findLast(event => event.type === 'assistant/message')
    const model = last?.type === 'assistant/message' ? last.data.model : undefined
    if (model !== undefined && this.#options.ctx.llm.serves(model)) agent.configure({ model })
  }

  #store(): SessionPersistence {
    const store = this.#options.ctx.get('sessionPersistence')
    if (!store) throw new PersistenceError('STORE_FAILED', 'no sessions are kept here')
    return store
  }
}

function describeDirectories(directories: readonly string[]): string {
  return `Directories that belong to the workspace beside the working directory: ${directories.join(', ')}`
}

/** Directories have many names. */
async function refuseOtherDirectory(own: string | undefined, asked: string): Promise<void> {
  if (own === undefined || own === asked) return
  const [one, other] = await Promise.all([own, asked].map(path => realpath(path).catch(() => resolve(path))))
  if (one !== other) throw invalidParams(`the session belongs to ${own}, not to ${asked}`)
}

async function checkDirectories({ cwd, additionalDirectories }: SessionParams): Promise<void> {
  await checkDirectory('cwd', cwd)
  await Promise.all((additionalDirectories ?? []).map(each => checkDirectory('additionalDirectories', each)))
}

async function checkDirectory(name: string, path: string): Promise<void> {
  if (!isAbsolute(path)) throw invalidParams(`${name} must be absolute, not "${path}"`)
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => error)
  if (found instanceof Error) throw invalidParams(`${name}: ${path} ${found.code === 'ENOENT' ? 'does not exist' : `cannot be used (${found.code})`}`)
  if (!found.isDirectory()) throw invalidParams(`${name}: ${path} is not a directory`)
}
