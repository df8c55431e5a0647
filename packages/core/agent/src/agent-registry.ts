/** `ctx.agents`: the live agents, and the seam behind which the loop makes them. */

import { Service, type Context } from 'cordis'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { AgentError } from './errors.ts'
import type { Agent, AgentFactory, AgentHandle, AgentId, CreateAgentOptions } from './types.ts'

declare module 'cordis' {
  interface Context {
    agents: AgentRegistry
  }
}

export class AgentRegistry extends Service {
  static readonly provide = 'agents'

  private readonly live = new Map<AgentId, Agent>()
  private readonly slot: { factory?: AgentFactory; owner?: Context['fiber'] } = {}

  constructor(ctx: Context) {
    super(ctx, 'agents')
  }

  /** Makes `factory` the one that creates agents; throws `DUPLICATE_FACTORY` while there is another. */
  setFactory(factory: AgentFactory): () => void {
    const { slot } = this
    if (slot.factory) throw new AgentError('DUPLICATE_FACTORY', 'another agent loop is mounted already; disable one of the two rows')
    const { fiber } = this.ctx
    return this.ctx.effect(() => {
      slot.factory = factory
      slot.owner = fiber
      return () => {
        delete slot.factory
        delete slot.owner
      }
    }, 'agents.setFactory()')
  }

  /** Whether a loop is mounted. */
  get ready(): boolean {
    return this.slot.factory !== undefined
  }

  /** The plugin that makes agents; they end with it. */
  get loop(): Context['fiber'] | undefined {
    return this.slot.owner
  }

  /** A new agent over a new session. Throws `NO_FACTORY` when no loop is mounted. The agent ends with the loop's plugin at the latest. */
  create(options: CreateAgentOptions = {}): AgentHandle {
    if (!this.slot.factory) throw new AgentError('NO_FACTORY', 'no agent loop is mounted: the composition needs a row such as agent-loop')
    return this.slot.factory.createAgent(options)
  }

  /** Lets the loop run through a turn that is none, so that the first one takes no longer than the others; its log, empty where the loop cannot. */
  async rehearse(): Promise<readonly SessionEvent[]> {
    return (await this.slot.factory?.rehearse?.()) ?? []
  }

  /** Called by loops. Announces the agent; the disposer, and the end of the calling plugin, take it away again. */
  register(agent: Agent): () => void {
    const { live, ctx } = this
    if (live.has(agent.id)) throw new AgentError('DUPLICATE_AGENT', `an agent "${agent.id}" exists already`)
    const { root } = ctx
    return ctx.effect(() => {
      live.set(agent.id, agent)
      root.emit(agent.scope as never, 'agent/created', agent)
      return () => {
        live.delete(agent.id)
        root.emit(agent.scope as never, 'agent/disposed', agent)
      }
    }, `agents.register(${agent.id})`)
  }

  get(id: AgentId): Agent | undefined {
    return this.live.get(id)
  }

  list(): Agent[] {
    return [...this.live.values()]
  }
}
