/** One session of the connection: an agent, what the client has been told of it, and the prompts that wait for their turns. */

import type { ContentBlock as AcpBlock, McpServer, PromptResponse, SessionConfigOption, SessionUpdate } from '@agentclientprotocol/sdk'
import type { Context } from 'cordis'
import { unlessAborted } from '@deepseek-ai/dsh-abort'
import type { UpdateQueue } from '@deepseek-ai/dsh-acp-client'
import { OutputProgress, SessionUpdates, titleOf, toPrompt, toStop, turnUsage, type ToolViews } from '@deepseek-ai/dsh-acp-content'
import type { Agent, AgentHandle } from '@deepseek-ai/dsh-agent'
import { describeError } from '@deepseek-ai/dsh-errors'
import { text, type ContentBlock } from '@deepseek-ai/dsh-llm'
import { stripControls } from '@deepseek-ai/dsh-text'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { ConfigOptions } from './config-options.ts'
import { ProtocolError, RPC } from './errors.ts'
import { Intake } from './intake.ts'
import { PromptTurns, type PromptEnd } from './prompt-turns.ts'
import { SlashCommands } from './slash-commands.ts'

const CANCELLED = 'cancelled by the client'

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
  /** Asked for by the client; nothing connects them yet. */
  readonly mcpServers: readonly McpServer[]
  /** Rules that the user refuses for the rest of the session. */
  readonly refused = new Set<string>()
  readonly #handle: AgentHandle
  readonly #queue: UpdateQueue
  readonly #hasNotices: boolean
  readonly #turns = new PromptTurns()
  readonly #intake = new Intake()
  readonly #newUpdates: () => SessionUpdates
  #updates: SessionUpdates
  readonly #progress: OutputProgress
  readonly #commands: SlashCommands
  /** Of the commands that run. */
  readonly #commandStops = new Set<AbortController>()
  /** A change that the client itself has asked for is not announced to it. */
  #isConfiguring = false
  #title: string | undefined
  /** The options as the client knows them, as JSON. */
  #toldOptions = ''
  /** Messages of commands that have been shown. */
  #shown = 0

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
    this.#newUpdates = () => new SessionUpdates({ cwd: agent.session.header.cwd ?? process.cwd(), views, contextWindow, hasNotices })
    this.#updates = this.#newUpdates()
    for (const event of agent.session.settledEvents) this.#updates.skip(event)
    this.#progress = new OutputProgress(callId => this.push(this.updates.progress(callId)))
    this.#title = titleOf(agent.session.settledEvents)
  }

  get id(): string {
    return this.agent.session.id
  }

  get updates(): SessionUpdates {
    return this.#updates
  }

  /** Sends the whole history, as to somebody who has seen nothing of it yet. Resolves when it has been taken. */
  async replayHistory(): Promise<void> {
    const { events, openTurn } = this.agent.session
    const before = this.#updates
    const updates = (this.#updates = this.#newUpdates())
    // Of an answer that streams there are only its pieces.
    const settled = openTurn === undefined ? events.length : events.findLastIndex(({ type }) => type === 'step/start' || type === 'assistant/message')
    events.forEach((event, index) => this.push(index > settled && event.type === 'assistant/chunk' ? updates.live(event) : updates.replay(event)))
    this.push(openTurn === undefined ? updates.closeOpen() : updates.continue(before))
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
    const content = toPrompt(blocks)
    if (!steers && (this.#intake.isBusy || this.#commands.mayBe(blocks))) return await this.#promptOrCommand(blocks, content, signal)
    return await this.#send(content, { signal, steers })
  }

  async #send(content: ContentBlock[], { signal, steers }: { signal: AbortSignal; steers: boolean }): Promise<PromptResponse> {
    const inputId = steers ? this.agent.steer(content) : this.agent.send(content)
    const ended = this.#turns.wait(inputId)
    // One that still waits is taken back alone; of what runs nobody can take back a part.
    const onAbort = (): void => (this.agent.unqueue(inputId, CANCELLED) ? this.#turns.giveUp(inputId, CANCELLED) : this.cancel())
    signal.addEventListener('abort', onAbort, { once: true })
    const end = await ended
    signal.removeEventListener('abort', onAbort)
    return await this.#answer(end)
  }

  /** Adds to the turn that runs; false when there is none. */
  steer(blocks: readonly AcpBlock[]): boolean {
    const content = toPrompt(blocks)
    if (this.agent.session.openTurn === undefined) return false
    this.agent.steer(content)
    return true
  }

  cancel(): void {
    for (const stop of this.#commandStops) stop.abort(new Error(CANCELLED))
    this.agent.cancel(CANCELLED)
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
    this.push([{ sessionUpdate: 'config_option_update', configOptions: this.tellOptions() }])
  }

  /** The options, which the client is about to be told. */
  tellOptions(): SessionConfigOption[] {
    const options = this.options.list()
    this.#toldOptions = JSON.stringify(options)
    return options
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
  async #promptOrCommand(blocks: readonly AcpBlock[], content: ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    const stop = new AbortController()
    const either = AbortSignal.any([signal, stop.signal])
    this.#commandStops.add(stop)
    const leave = await this.#intake.enter()
    let sent: Promise<PromptResponse> | undefined
    try {
      either.throwIfAborted()
      const found = await unlessAborted(this.#runCommand(blocks, content, either), either)
      if (typeof found === 'string') await this.#show(found)
      else sent = this.#send(found, { signal, steers: false })
    } catch (error) {
      if (either.aborted) return { stopReason: 'cancelled' }
      await this.#show(describeError(error))
    } finally {
      this.#commandStops.delete(stop)
      leave()
    }
    this.#announceChanges()
    return sent ? await sent : { stopReason: 'end_turn' }
  }

  /** What is for the model, or text to show. */
  async #runCommand(blocks: readonly AcpBlock[], content: ContentBlock[], signal: AbortSignal): Promise<ContentBlock[] | string> {
    const call = await this.#commands.find(blocks, signal)
    if (!call) return content
    const result = await this.#commands.run(call, signal)
    if (result?.kind !== 'prompt') return result?.markdown ?? ''
    return typeof result.content === 'string' ? [text(result.content)] : result.content
  }

  async #show(markdown: string): Promise<void> {
    if (markdown !== '') this.push([{ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: stripControls(markdown) }, messageId: `command-${this.agent.session.seq}.${++this.#shown}` }])
    await this.#queue.flush()
  }

  /** Commands and plugins choose, too. */
  #announceChanges(): void {
    if (JSON.stringify(this.options.list()) !== this.#toldOptions) this.announceOptions({ mode: false })
  }

  #endTurn({ time, data }: SessionEvent<'turn/end'>): void {
    this.#progress.close()
    const stop = toStop(data.reason)
    if (stop.kind === 'stop' && stop.notice !== undefined) this.notice('warning', stripControls(stop.notice))
    const title = titleOf(this.agent.session.settledEvents)
    const isNew = title !== undefined && title !== this.#title
    this.#title = title
    this.push([{ sessionUpdate: 'session_info_update', ...(isNew && { title }), updatedAt: new Date(time).toISOString() }])
    this.#announceChanges()
  }

  #announceMode(): void {
    const modes = this.options.modes()
    if (modes) this.push([{ sessionUpdate: 'current_mode_update', currentModeId: modes.currentModeId }])
  }

  async #answer({ reason, turn }: PromptEnd): Promise<PromptResponse> {
    await this.#queue.flush()
    const stop = toStop(reason)
    if (stop.kind === 'stop') {
      const usage = turn === undefined ? undefined : turnUsage(this.agent.session.settledEvents, turn)
      return { stopReason: stop.stopReason, ...(usage && { usage }) }
    }
    const message = stripControls(stop.message)
    if (stop.needsKey) throw new ProtocolError('AUTH_REQUIRED', RPC.authRequired, message, { details: message })
    throw new ProtocolError('TURN_FAILED', RPC.internal, message, { details: message, ...(stop.code !== undefined && { turnError: stop.code }) })
  }
}
