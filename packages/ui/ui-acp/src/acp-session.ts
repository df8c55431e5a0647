/** One session of the connection: an agent, what the client has been told of it, and the prompts that wait for their turns. */

import type { ContentBlock as AcpBlock, McpServer, PromptResponse, SessionUpdate } from '@agentclientprotocol/sdk'
import type { Context } from 'cordis'
import { OutputProgress, SessionUpdates, titleOf, toPrompt, toStop, turnUsage, type ToolViews } from '@deepseek-ai/dsh-acp-content'
import type { Agent, AgentHandle } from '@deepseek-ai/dsh-agent'
import { describeError } from '@deepseek-ai/dsh-errors'
import { text, type ContentBlock } from '@deepseek-ai/dsh-llm'
import { stripControls } from '@deepseek-ai/dsh-text'
import type { SessionEvent, TurnEndReason } from '@deepseek-ai/dsh-session'
import { ConfigOptions } from './config-options.ts'
import { ProtocolError, RPC } from './errors.ts'
import { PromptTurns } from './prompt-turns.ts'
import { SlashCommands } from './slash-commands.ts'
import type { UpdateQueue } from './update-queue.ts'

export interface AcpSessionOptions {
  ctx: Context
  handle: AgentHandle
  queue: UpdateQueue
  views: ToolViews
  hasNotices: boolean
  mcpServers: readonly McpServer[]
  discovered: () => readonly string[]
}

export class AcpSession {
  readonly agent: Agent
  readonly options: ConfigOptions
  readonly updates: SessionUpdates
  /** Asked for by the client; nothing connects them yet. */
  readonly mcpServers: readonly McpServer[]
  /** Rules that the user refuses for the rest of the session. */
  readonly refused = new Set<string>()
  readonly #handle: AgentHandle
  readonly #queue: UpdateQueue
  readonly #hasNotices: boolean
  readonly #turns = new PromptTurns()
  readonly #progress: OutputProgress
  readonly #commands: SlashCommands
  /** Of the commands that run. */
  readonly #commandStops = new Set<AbortController>()
  /** A change that the client itself has asked for is not announced to it. */
  #isConfiguring = false
  #title: string | undefined

  constructor({ ctx, handle, queue, views, hasNotices, mcpServers, discovered }: AcpSessionOptions) {
    const { agent } = handle
    this.agent = agent
    this.mcpServers = mcpServers
    this.#handle = handle
    this.#queue = queue
    this.#hasNotices = hasNotices
    this.#commands = new SlashCommands(ctx, agent)
    this.options = new ConfigOptions(ctx, agent, discovered)
    const contextWindow = (model: string): number | undefined => ctx.llm.info(model)?.contextWindow
    this.updates = new SessionUpdates({ cwd: agent.session.header.cwd ?? process.cwd(), views, contextWindow, hasNotices })
    this.#progress = new OutputProgress(callId => this.push(this.updates.progress(callId)))
    this.#title = titleOf(agent.session.events)
  }

  get id(): string {
    return this.agent.session.id
  }

  /** The client has seen the history, or does not want it. */
  skipHistory(): void {
    for (const event of this.agent.session.events) this.updates.skip(event)
  }

  /** Sends the whole history. Resolves when it has been taken. */
  async replayHistory(): Promise<void> {
    const { events, openTurn } = this.agent.session
    for (const event of events) this.push(this.updates.replay(event))
    if (openTurn === undefined) this.push(this.updates.closeOpen())
    if (this.#title !== undefined) this.push([{ sessionUpdate: 'session_info_update', title: this.#title, updatedAt: new Date(events.at(-1)?.time ?? Date.now()).toISOString() }])
    await this.#queue.flush()
  }

  /** Every append to the session's log, in order. */
  observe(event: SessionEvent): void {
    this.push(this.updates.live(event))
    if (event.type === 'turn/end') this.#endTurn(event)
    if ((event as { type: string }).type === 'approval/mode' && !this.#isConfiguring) this.announceOptions({ mode: true })
    if (event.type === 'tool/result') this.#progress.end(event.data.callId)
    this.#turns.observe(event, this.agent.session.openTurn)
  }

  /** A piece of a running call's output. */
  addOutput(callId: string, piece: string): void {
    if (this.agent.session.openTurn === undefined) return
    this.updates.addOutput(callId, piece)
    this.#progress.touch(callId)
  }

  /**
   * Hands the prompt to the agent before it returns; resolves when the turn that
   * takes it ends, and everything about it has been sent. Steering joins the turn
   * that runs. Throws for a prompt that cannot be, and for a turn that failed.
   */
  async prompt(blocks: readonly AcpBlock[], { signal, steers }: { signal: AbortSignal; steers: boolean }): Promise<PromptResponse> {
    if (!steers && this.#commands.mayBe(blocks)) return await this.#promptOrCommand(blocks, signal)
    return await this.#send(toPrompt(blocks), { signal, steers })
  }

  async #send(content: ContentBlock[], { signal, steers }: { signal: AbortSignal; steers: boolean }): Promise<PromptResponse> {
    const from = this.agent.session.seq
    const inputId = steers ? this.agent.steer(content) : this.agent.send(content)
    const ended = this.#turns.wait(inputId)
    const onAbort = (): void => this.cancel()
    signal.addEventListener('abort', onAbort, { once: true })
    const reason = await ended
    signal.removeEventListener('abort', onAbort)
    return await this.#answer(reason, from)
  }

  /** Adds to the turn that runs; false when there is none. */
  steer(blocks: readonly AcpBlock[]): boolean {
    const content = toPrompt(blocks)
    if (this.agent.session.openTurn === undefined) return false
    this.agent.steer(content)
    return true
  }

  cancel(): void {
    for (const stop of this.#commandStops) stop.abort(new Error('cancelled by the client'))
    this.agent.cancel('cancelled by the client')
  }

  /** Chooses a value. `announce` says in which form the client does not know of it yet. */
  configure(id: string, value: unknown, announce: 'modes' | 'options'): void {
    this.#isConfiguring = true
    try {
      const changed = this.options.set(id, value)
      if (announce === 'options') this.announceOptions({ mode: false })
      else if (changed === 'mode') this.#announceMode()
    } finally {
      this.#isConfiguring = false
    }
  }

  announceOptions({ mode }: { mode: boolean }): void {
    if (mode) this.#announceMode()
    this.push([{ sessionUpdate: 'config_option_update', configOptions: this.options.list() }])
  }

  /** Tells which commands can be typed. */
  async announceCommands(signal: AbortSignal): Promise<void> {
    const availableCommands = await this.#commands.list(signal)
    if (availableCommands) this.push([{ sessionUpdate: 'available_commands_update', availableCommands }])
  }

  /** Shown where the client shows such things. */
  notice(severity: 'info' | 'warning' | 'error', title: string, description?: string): void {
    if (this.#hasNotices) this.push([{ sessionUpdate: 'notice', severity, title, ...(description !== undefined && { description }) }])
  }

  push(updates: readonly SessionUpdate[]): void {
    this.#queue.push(this.id, updates)
  }

  /** Stops what runs, answers every prompt that waits, and lets go of the session. */
  async close(): Promise<void> {
    this.cancel()
    await this.#handle.dispose()
    this.#turns.close()
    this.#progress.close()
    await this.#queue.flush()
  }

  /** A command is run here, and what it shows is an answer; what it has for the model goes on as the prompt. */
  async #promptOrCommand(blocks: readonly AcpBlock[], signal: AbortSignal): Promise<PromptResponse> {
    const stop = new AbortController()
    const either = AbortSignal.any([signal, stop.signal])
    this.#commandStops.add(stop)
    try {
      const call = await this.#commands.find(blocks, either)
      const result = call && (await this.#commands.run(call, either))
      if (either.aborted) return { stopReason: 'cancelled' }
      this.#commandStops.delete(stop)
      if (!call) return await this.#send(toPrompt(blocks), { signal, steers: false })
      if (result?.kind === 'prompt') return await this.#send(typeof result.content === 'string' ? [text(result.content)] : result.content, { signal, steers: false })
      await this.#show(result?.markdown ?? '')
    } catch (error) {
      if (either.aborted) return { stopReason: 'cancelled' }
      if (!this.#commandStops.has(stop)) throw error
      await this.#show(describeError(error))
    } finally {
      this.#commandStops.delete(stop)
    }
    return { stopReason: 'end_turn' }
  }

  async #show(markdown: string): Promise<void> {
    if (markdown !== '') this.push([{ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: stripControls(markdown) }, messageId: `command-${this.agent.session.seq}` }])
    await this.#queue.flush()
  }

  #endTurn({ time, data }: SessionEvent<'turn/end'>): void {
    this.#progress.close()
    const stop = toStop(data.reason)
    if (stop.kind === 'stop' && stop.notice !== undefined) this.notice('warning', stripControls(stop.notice))
    const title = titleOf(this.agent.session.events)
    const isNew = title !== undefined && title !== this.#title
    this.#title = title
    this.push([{ sessionUpdate: 'session_info_update', ...(isNew && { title }), updatedAt: new Date(time).toISOString() }])
  }

  #announceMode(): void {
    const modes = this.options.modes()
    if (modes) this.push([{ sessionUpdate: 'current_mode_update', currentModeId: modes.currentModeId }])
  }

  async #answer(reason: TurnEndReason, from: number): Promise<PromptResponse> {
    await this.#queue.flush()
    const stop = toStop(reason)
    if (stop.kind === 'stop') {
      const usage = turnUsage(this.agent.session.events, from)
      return { stopReason: stop.stopReason, ...(usage && { usage }) }
    }
    const message = stripControls(stop.message)
    if (stop.needsKey) throw new ProtocolError('AUTH_REQUIRED', RPC.authRequired, message, { details: message })
    throw new ProtocolError('TURN_FAILED', RPC.internal, message, { details: message, ...(stop.code !== undefined && { turnError: stop.code }) })
  }
}
