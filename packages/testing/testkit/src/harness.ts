/** The spine of the harness with a scripted model: what tests of plugins and of the loop stand on. */

import type { Context, Plugin } from 'cordis'
import { createRoot } from 'cordis/host'
import { AgentRegistry, type Agent, type AgentHandle, type AgentOptions, type CreateAgentOptions } from '@deepseek-ai/dsh-agent'
import { AgentLoop, type AgentLoopConfig } from '@deepseek-ai/dsh-agent-loop'
import * as invariantsPlugin from '@deepseek-ai/dsh-invariants'
import type { Invariants } from '@deepseek-ai/dsh-invariants'
import { LlmService } from '@deepseek-ai/dsh-llm'
import { LlmScript, type ScriptStep } from '@deepseek-ai/dsh-llm-script'
import { SessionStore, type Session, type SessionEvent, type SessionEventType } from '@deepseek-ai/dsh-session'
import { SystemPrompt } from '@deepseek-ai/dsh-system-prompt'
import { ToolRegistry, type ToolDefinition } from '@deepseek-ai/dsh-tools'
import { captureLog, type CapturedLine } from './capture-log.ts'
import { LeakCheck } from './leak-check.ts'
import { transcript } from './transcript.ts'
import { waitForEvent, type WaitOptions } from './wait-for-event.ts'

export interface HarnessOptions {
  /** What the model says, request by request. */
  model?: readonly ScriptStep[]
  /** Mounted after the spine, in order; a pair brings its config. */
  plugins?: readonly (Plugin | readonly [Plugin, unknown])[]
  /** Registered for all agents. */
  tools?: readonly ToolDefinition[]
  /** Options of the agent; its model is the script. */
  options?: AgentOptions
  /** How the agent is created besides. */
  create?: Omit<CreateAgentOptions, 'agentOptions'>
  /** Config of the loop. */
  loop?: Partial<AgentLoopConfig>
  /** Mounts another loop in place of the real one. */
  loopPlugin?: Plugin
}

export interface Harness extends AsyncDisposable {
  readonly ctx: Context
  readonly agent: Agent
  readonly session: Session
  readonly script: LlmScript
  readonly invariants: Invariants
  /** Warnings and errors of the whole composition. */
  readonly log: readonly CapturedLine[]
  /** Sends and waits until the agent is idle again; returns the transcript of the whole session. */
  run(content: string): Promise<string>
  transcript(): string
  /** The first event of that type, waiting for it if need be. */
  saw<T extends SessionEventType>(type: T, options?: WaitOptions<T>): Promise<SessionEvent<T>>
  /** Another agent over the same script. */
  create(options?: CreateAgentOptions): AgentHandle
  /** Ends everything; throws when an invariant was broken or something was left behind. */
  dispose(): Promise<void>
}

/** Use it with `await using`, or call `dispose` at the end. */
export async function harness(options: HarnessOptions = {}): Promise<Harness> {
  const ctx = createRoot()
  const leaks = new LeakCheck(ctx)
  const log = captureLog(ctx)
  const script = new LlmScript(options.model ?? [])
  await mountSpine(ctx, script, options)
  const invariants = ctx.get('invariants')
  if (!invariants) throw new Error('the invariants plugin did not start')

  const create = (given: CreateAgentOptions = {}): AgentHandle => {
    const { agentOptions, meta, ...rest } = given
    return ctx.agents.create({ meta: { cwd: process.cwd(), ...meta }, agentOptions: { model: 'script', ...agentOptions }, ...rest })
  }
  const { agent } = create({ ...options.create, agentOptions: options.options })
  let disposal: Promise<void> | undefined
  const dispose = (): Promise<void> => (disposal ??= endOf(ctx, invariants, leaks))
  return {
    ctx,
    agent,
    session: agent.session,
    script,
    invariants,
    log,
    async run(content) {
      agent.send(content)
      await agent.whenIdle()
      return transcript(agent)
    },
    transcript: () => transcript(agent),
    saw: (type, wait) => waitForEvent(ctx, agent.session, type, wait),
    create,
    dispose,
    [Symbol.asyncDispose]: dispose,
  }
}

async function mountSpine(ctx: Context, script: LlmScript, { loop, loopPlugin, plugins = [], tools = [] }: HarnessOptions): Promise<void> {
  for (const service of [LlmService, SessionStore, SystemPrompt, AgentRegistry, ToolRegistry]) await ctx.plugin(service as Plugin)
  await ctx.plugin(invariantsPlugin)
  await ctx.plugin(script.plugin)
  await ctx.plugin(loopPlugin ?? AgentLoop, (loopPlugin ? undefined : (loop ?? {})) as never)
  for (const entry of plugins) {
    const [plugin, config] = Array.isArray(entry) ? (entry as readonly [Plugin, unknown]) : [entry as Plugin, undefined]
    await ctx.plugin(plugin, config as never)
  }
  await ctx.plugin({ name: 'test-tools', inject: ['tools'], apply: (inner: Context) => tools.forEach(tool => void inner.tools.register(tool)) })
}

async function endOf(ctx: Context, invariants: Invariants, leaks: LeakCheck): Promise<void> {
  await ctx.fiber.dispose()
  await leaks.settle()
  invariants.assertHeld()
  const left = [...leaks.listeners(), ...leaks.handles()]
  if (left.length > 0) throw new Error(`left behind after disposal: ${left.join(', ')}`)
}
