/**
 * The live events of agents. Facts that can be replayed are in the log;
 * here is what intercepts, and what concerns live objects. All are sent with
 * the agent's scope as the filter: a listener in an agent's scope hears its own
 * agent and its children, one outside every scope hears all.
 *
 * A cancel does not wait for the waterfalls: what a listener answers afterwards
 * is not heard. Those that get a signal have a moment to stop in order.
 */

import type {} from 'cordis'
import type { ContentBlock, GenerateOptions, Message, MessageSource } from '@deepseek-ai/dsh-llm'
import type { Agent, AgentStatus, ContinuationDecision, PromptDecision, RequestErrorDecision, RequestFailure, SessionStartSource } from './types.ts'

declare module 'cordis' {
  interface Events {
    'agent/created'(agent: Agent): void
    'agent/disposed'(agent: Agent): void
    /** Once, before the first turn; awaited for a bounded time, so that what it injects is in the first request. */
    'agent/session-start'(agent: Agent, source: SessionStartSource): void | Promise<void>
    'agent/status'(agent: Agent, status: AgentStatus): void
    /** Input was accepted. */
    'agent/queued'(agent: Agent, content: readonly ContentBlock[], info: { id: string; source: MessageSource; steering: boolean }): void
    /** A failure of a step or a turn, beside `turn/end`; step 0 is outside every step. */
    'agent/error'(agent: Agent, turn: number, step: number, error: Error): void
    /** Waterfall for each message that opens a turn. Default: allow. */
    'agent/prompt-submit'(agent: Agent, content: readonly ContentBlock[], source: MessageSource, next: () => Promise<PromptDecision>): Promise<PromptDecision>
    /** Serial, after assembly and before `step/start`: the place to change the surface. */
    'agent/pre-step'(agent: Agent, info: { turn: number; step: number; system: string }, signal: AbortSignal): Promise<void>
    /** Waterfall over the request. Messages must stay what the log derives. */
    'agent/request'(agent: Agent, info: { turn: number; step: number }, options: GenerateOptions, next: () => Promise<GenerateOptions>): Promise<GenerateOptions>
    /** Waterfall after a failed attempt. Default: fail. */
    'agent/request-error'(agent: Agent, failure: RequestFailure, next: () => Promise<RequestErrorDecision>): Promise<RequestErrorDecision>
    /** Waterfall over the assembled answer, before it is logged. */
    'agent/step-result'(agent: Agent, info: { turn: number; step: number }, message: Message, next: () => Promise<Message>): Promise<Message>
    /** Waterfall after each step. Default: continue after tool calls or steering. */
    'agent/turn-continuation'(agent: Agent, turn: number, defaultDecision: ContinuationDecision, next: () => Promise<ContinuationDecision>): Promise<ContinuationDecision>
  }
}
