/** `ctx.agentLoop`: the one concrete loop. It makes agents for `ctx.agents` and owns their lives. */

import { Service, type Context } from 'cordis'
import z from 'schemastery'
import { AgentError, type AgentFactory, type AgentHandle, type AgentId, type AgentOptions, type CreateAgentOptions } from '@deepseek-ai/dsh-agent'
import { extendScope } from '@deepseek-ai/dsh-scope'
import { closeInterrupted, type SessionEvent } from '@deepseek-ai/dsh-session'
import { LoopAgent } from './loop-agent.ts'

declare module 'cordis' {
  interface Context {
    agentLoop: AgentLoop
  }
}

export interface AgentLoopConfig {
  /** The model of agents that do not name one. */
  model?: string
  /** Stands at the end of the system text of agents that bring none. */
  systemPrompt?: string
  /** Request attempts per step, whatever `agent/request-error` answers. */
  maxAttempts: number
  /** A longer wait between attempts is cut to this. */
  maxRetryDelayMs: number
  /** How many calls of one answer may overlap. */
  maxParallelTools: number
  /** How long the first turn waits for `agent/session-start` listeners. */
  sessionStartTimeoutMs: number
  /** How long a cancel waits for what has been told to stop before it goes on without it. */
  abortGraceMs: number
}

export class AgentLoop extends Service implements AgentFactory {
  static readonly provide = 'agentLoop'
  static readonly inject = ['agents', 'sessions', 'llm', 'tools', 'systemPrompt']
  static readonly Config: z<AgentLoopConfig> = z.object({
    model: z.string(),
    systemPrompt: z.string(),
    maxAttempts: z.natural().min(1).default(6),
    maxRetryDelayMs: z.natural().default(120_000),
    maxParallelTools: z.natural().min(1).default(8),
    sessionStartTimeoutMs: z.natural().default(10_000),
    abortGraceMs: z.natural().default(5_000),
  }) as z<AgentLoopConfig>

  private readonly config: AgentLoopConfig
  private readonly home: Context

  constructor(ctx: Context, config: AgentLoopConfig) {
    super(ctx, 'agentLoop')
    this.config = config
    this.home = ctx
    ctx.agents.setFactory(this)
  }

  /**
   * An idle agent over a new or seeded session; a turn that the seed leaves
   * open is closed as `interrupted`. It ends when its handle is disposed, or
   * with the parent agent, or with this plugin. Throws `DUPLICATE_AGENT`, and
   * what `sessions.prepare` and `enter` throw.
   */
  createAgent({ agentId, sessionId, meta, seed, source = 'startup', agentOptions, parent }: CreateAgentOptions): AgentHandle {
    const { config, home } = this
    const base = parent?.ctx ?? home
    const session = home.sessions.prepare(sessionId, { seed, meta })
    const id: AgentId = agentId ?? String(session.id)
    if (home.agents.get(id)) throw new AgentError('DUPLICATE_AGENT', `an agent "${id}" exists already`)
    // A fiber of its own: whatever is registered on the agent's context ends with the agent.
    const fiber = extendScope(base, id).plugin({ name: 'agent', apply() {} })
    const { ctx } = fiber
    const agent = new LoopAgent({ id, ctx, session, options: this.withDefaults(agentOptions), limits: config })
    try {
      ctx.effect(function* () {
        yield ctx.sessions.enter(session)
        const announce = session.onAppend
        session.onAppend = event => {
          agent.observe(event)
          announce?.(event)
        }
        // Before anybody can learn of the agent and append to it.
        ctx.sessions.announce(session)
        closeInterrupted(session)
        // What waits in a fork was meant for the session that it came from.
        if (source === 'startup' && session.header.parentSession !== undefined) agent.cancel('queued for the session that this one was forked from')
        yield ctx.agents.register(agent)
        yield () => agent.stop()
      }, `agentLoop.createAgent(${id})`)
    } catch (error) {
      void fiber.dispose()
      throw error
    }
    agent.start(source)
    let disposal: Promise<void> | undefined
    // First the turn, while what is registered on the agent's context still hears how it ends.
    const dispose = async (): Promise<void> => {
      await agent.stop()
      await fiber.dispose()
    }
    return { agent, dispose: () => (disposal ??= dispose()) }
  }

  async rehearse(): Promise<readonly SessionEvent[]> {
    const { rehearse } = await import('./rehearse.ts')
    return await rehearse()
  }

  private withDefaults(options: AgentOptions = {}): AgentOptions {
    const model = options.model ?? this.config.model
    const systemPrompt = options.systemPrompt ?? this.config.systemPrompt
    return { ...options, ...(model !== undefined && { model }), ...(systemPrompt !== undefined && { systemPrompt }) }
  }
}
