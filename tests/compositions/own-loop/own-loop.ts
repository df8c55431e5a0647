/** A loop that is not ours: the smallest one that takes turns over the log. It imports interface packages only. */

import type { Context } from 'cordis'
import z from 'schemastery'
import { AgentError, type Agent, type AgentFactory, type AgentOptions, type AgentStatus, type CreateAgentOptions, type SendOptions } from '@deepseek-ai/dsh-agent'
import { asBlocks, BlockAssembler, toolCallsOf, type ContentBlock } from '@deepseek-ai/dsh-llm'
import { extendScope, scopeOf, outside, type Scope } from '@deepseek-ai/dsh-scope'
import type { Session } from '@deepseek-ai/dsh-session'
import { renderPrompt } from '@deepseek-ai/dsh-system-prompt'
import type {} from '@deepseek-ai/dsh-tools'

export const name = 'own-loop'
export const inject = ['agents', 'sessions', 'llm', 'tools', 'systemPrompt']

export interface OwnLoopConfig {
  maxSteps: number
}

export const Config: z<OwnLoopConfig> = z.object({ maxSteps: z.natural().min(1).default(10) }) as z<OwnLoopConfig>

export function apply(ctx: Context, { maxSteps }: OwnLoopConfig): void {
  const factory: AgentFactory = {
    createAgent({ sessionId, meta, agentOptions = {} }: CreateAgentOptions) {
      const session = ctx.sessions.create(sessionId, { meta })
      const agent = new OwnAgent(extendScope(ctx, session.id), session, { ...agentOptions, budget: { maxSteps } })
      const unregister = ctx.agents.register(agent)
      return {
        agent,
        async dispose() {
          agent.cancel('disposed')
          await agent.whenIdle()
          unregister()
        },
      }
    },
  }
  ctx.agents.setFactory(factory)
}

class OwnAgent implements Agent {
  readonly id: string
  readonly ctx: Context
  readonly session: Session
  readonly scope: Scope
  options: AgentOptions
  status: AgentStatus = 'idle'
  private abort = new AbortController()
  private running = Promise.resolve()

  constructor(ctx: Context, session: Session, options: AgentOptions) {
    this.id = session.id
    this.ctx = ctx
    this.session = session
    this.options = options
    this.scope = scopeOf(ctx) ?? outside
  }

  send(content: string | readonly ContentBlock[], { source = { kind: 'user' } }: SendOptions = {}): string {
    const id = `own-${this.session.seq}`
    this.session.append('inbox/queued', { id, target: 'turn', content: asBlocks(content), source })
    this.status = 'running'
    this.running = this.running.then(() => this.takeTurn(id, asBlocks(content))).finally(() => (this.status = 'idle'))
    return id
  }

  steer(content: string | readonly ContentBlock[], options?: SendOptions): string {
    return this.send(content, options)
  }

  inject(): void {
    throw new AgentError('AGENT_DISPOSED', 'this loop takes no context')
  }

  unqueue(): boolean {
    return false
  }

  cancel(reason = 'cancelled'): void {
    this.abort.abort(new Error(reason))
  }

  configure(options: Partial<AgentOptions>): void {
    this.options = { ...this.options, ...options }
  }

  whenIdle(): Promise<void> {
    return this.running
  }

  private async takeTurn(id: string, content: ContentBlock[]): Promise<void> {
    const { session } = this
    const turn = session.turns + 1
    this.abort = new AbortController()
    session.append('turn/start', { turn, trigger: { kind: 'message', source: { kind: 'user' } } })
    session.append('inbox/claimed', { ids: [id], turn })
    session.append('user/message', { content, source: { kind: 'user' } }, { surfaceOp: 'append' })
    try {
      const { maxSteps = 1 } = this.options.budget ?? {}
      for (let step = 1; step <= maxSteps; step++) {
        if (!(await this.takeStep(turn, step))) return void session.append('turn/end', { turn, reason: { kind: 'completed' } })
      }
      session.append('turn/end', { turn, reason: { kind: 'limit', which: 'steps' } })
    } catch (error) {
      const { message } = error as Error
      session.append('turn/end', { turn, reason: this.abort.signal.aborted ? { kind: 'aborted', reason: message } : { kind: 'error', step: 1, message } })
    }
  }

  /** Whether the model wants to see what its calls returned. */
  private async takeStep(turn: number, step: number): Promise<boolean> {
    const { ctx, session, scope } = this
    const { signal } = this.abort
    const { model = '' } = this.options
    const assembly = await ctx.systemPrompt.assemble(scope)
    session.append('step/start', { turn, step })
    const assembler = new BlockAssembler()
    for await (const chunk of ctx.llm.stream({ model, system: `own loop\n${renderPrompt(assembly)}`, tools: assembly.tools, messages: session.deriveMessages(), signal })) assembler.push(chunk)
    session.append('assistant/message', { turn, step, content: assembler.blocks(), finish: assembler.finish, model }, { surfaceOp: 'append' })
    const calls = toolCallsOf(assembler.blocks())
    for (const { id: callId, name: tool, arguments: raw } of calls) {
      session.append('tool/call', { turn, step, callId, name: tool, arguments: raw })
      const { content, isError } = await ctx.tools.execute({ callId, name: tool, arguments: JSON.parse(raw), cwd: session.header.cwd ?? '/', signal, agent: this })
      session.append('tool/result', { turn, step, callId, content, isError }, { surfaceOp: 'append' })
    }
    session.append('step/end', { turn, step })
    return calls.length > 0
  }
}
