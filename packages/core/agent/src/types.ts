/** The vocabulary of agents: the handle, its options, and the decisions that plugins return. Types only. */

import type { Context } from 'cordis'
import type { ContentBlock, MessageSource } from '@deepseek-ai/dsh-llm'
import type { Scope } from '@deepseek-ai/dsh-scope'
import type { CreateSessionOptions, SessionEvent, Session, SessionId, TurnEndReason } from '@deepseek-ai/dsh-session'

export type AgentId = string & { readonly __brand?: 'AgentId' }

/** `running` from the moment a turn is about to open until nothing is queued; `disposed` for ever. */
export type AgentStatus = 'idle' | 'running' | 'disposed'

/** What a turn may use up; running out ends it with `limit`. Absent means unlimited. */
export interface TurnBudget {
  maxSteps?: number
  /** Input and output tokens of all requests of the turn. */
  maxTokens?: number
  /** In the currency of the model's price; not enforced where the price is unknown. */
  maxCost?: number
  /** Milliseconds from the turn's start. */
  deadlineMs?: number
}

/** How an agent behaves. Plugins may merge options of their own into it. */
export interface AgentOptions {
  model?: string
  /** How much the model should think, in its provider's words; absent: as its adapter is set. */
  effort?: string
  /** Absolute: directories that belong to the workspace beside the session's own. */
  directories?: readonly string[]
  /** Stands after the assembled sections. */
  systemPrompt?: string
  budget?: TurnBudget
}

export interface SendOptions {
  /** Default: the user. */
  source?: MessageSource
}

export interface CancelOptions {
  /** What happens to input that has not been claimed yet. Default `drop`. */
  queue?: 'drop' | 'keep'
}

/** What plugins and front doors program against; they never see the loop behind it. */
export interface Agent {
  readonly id: AgentId
  readonly options: AgentOptions
  readonly session: Session
  readonly status: AgentStatus
  /** Aborted when the open turn is stopped; undefined between turns. For listeners whose event brings no signal of its own. */
  readonly turnSignal?: AbortSignal
  /** Where the agent's registrations live; listeners and tools registered on `ctx` are its own. */
  readonly scope: Scope
  readonly ctx: Context
  /**
   * Accepts input for the next turn and starts one when idle. The input is in
   * the log when this returns; the id names it there. Throws `AGENT_DISPOSED`.
   */
  send(content: string | readonly ContentBlock[], options?: SendOptions): string
  /** Accepts input for the next step of the open turn; like `send` when there is none. */
  steer(content: string | readonly ContentBlock[], options?: SendOptions): string
  /** Adds context that the next request shows; never wakes the model. Idle, it makes a turn of its own. */
  inject(content: string | readonly ContentBlock[], options: Required<SendOptions>): void
  /** Takes queued input back; false when it was claimed already or is unknown. */
  unqueue(id: string, reason?: string): boolean
  /** Stops what is running; a no-op when nothing is. The first reason wins and stands in the log. Input sent afterwards is not lost. */
  cancel(reason?: string, options?: CancelOptions): void
  /** Changes options from the next step on, the budget from the next turn on. */
  configure(options: Partial<AgentOptions>): void
  /** Resolves at the next quiescence; at once when idle with nothing queued. Never rejects. */
  whenIdle(): Promise<void>
}

/** Held by whoever created the agent. */
export interface AgentHandle {
  readonly agent: Agent
  /** Ends the turn as `disposed`, waits for the loop to leave, unregisters. Calls share one promise. */
  dispose(): Promise<void>
}

export interface CreateAgentOptions {
  /** Default: the session's id. */
  agentId?: AgentId
  /** Default: a new id. */
  sessionId?: SessionId
  meta?: CreateSessionOptions['meta']
  /** Events to start from. */
  seed?: CreateSessionOptions['seed']
  /** What `agent/session-start` says. Default `startup`. */
  source?: SessionStartSource
  agentOptions?: AgentOptions
  /** The agent whose scope this one's lies below. */
  parent?: Agent
}

export type SessionStartSource = 'startup' | 'resume'

/** Makes agents; the loop sets it. Replacing the loop is setting another one. */
export interface AgentFactory {
  createAgent(options: CreateAgentOptions): AgentHandle
  /** Makes ready what the first turn needs, without any plugin hearing of it; the log of a turn that was only tried. */
  rehearse?(): Promise<readonly SessionEvent[]>
}

/** Content for the model with the plugin that it comes from. */
export interface InjectedContext {
  content: ContentBlock[]
  source: MessageSource
}

/** Whether a prompt reaches the model. */
export type PromptDecision = { kind: 'allow'; content?: ContentBlock[]; additionalContext?: InjectedContext } | { kind: 'block'; reason: string }

/** Whether a turn takes another step. A reason becomes steering of that step. */
export type ContinuationDecision = { action: 'stop' } | { action: 'continue'; reason?: InjectedContext }

/** What happens after a failed request attempt. The loop caps attempts whatever is answered. */
export type RequestErrorDecision = { kind: 'fail' } | { kind: 'retry'; delayMs: number }

/** One failed request attempt. */
export interface RequestFailure {
  turn: number
  step: number
  /** 1 for the first attempt of the step. */
  attempt: number
  error: Error
  /** Aborted when the turn is stopped. */
  signal: AbortSignal
}

/** How a turn ended, for whoever waits for it. */
export interface TurnOutcome {
  turn: number
  steps: number
  reason: TurnEndReason
}
