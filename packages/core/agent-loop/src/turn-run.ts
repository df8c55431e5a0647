/** What the functions of one turn share, handed down explicitly. */

import type { Context } from 'cordis'
import { unlessAborted } from '@deepseek-ai/dsh-abort'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { Session } from '@deepseek-ai/dsh-session'
import type { BudgetMeter } from './budget.ts'
import type { Inbox } from './inbox.ts'

/** Bounds of the loop; see `AgentLoop.Config` for their meaning. */
export interface LoopLimits {
  maxAttempts: number
  maxRetryDelayMs: number
  maxParallelTools: number
  sessionStartTimeoutMs: number
  abortGraceMs: number
}

export interface TurnRun {
  /** The loop's context: where the services are. */
  ctx: Context
  agent: Agent
  session: Session
  inbox: Inbox
  limits: LoopLimits
  budget: BudgetMeter
  turn: number
  signal: AbortSignal
}

/** A durability checkpoint: resolves when every store has what the log holds; rejects with what the first of them says. */
export async function checkpoint({ ctx, agent, session }: Pick<TurnRun, 'ctx' | 'agent' | 'session'>): Promise<void> {
  try {
    await ctx.root.parallel(agent.scope as never, 'session/flush', session)
  } catch (error) {
    throw error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error
  }
}

/** A checkpoint in the middle of a turn, where a cancel must not wait for a disk that hangs. */
export async function checkpointNow(run: TurnRun): Promise<void> {
  await unlessAborted(checkpoint(run), run.signal, { graceMs: run.limits.abortGraceMs })
}

/** Moves steering into the log; says whether there was any. */
export function claimSteering({ session, inbox, turn }: TurnRun, step: number): boolean {
  const inputs = inbox.steering()
  if (inputs.length === 0) return false
  session.append('inbox/claimed', { ids: inputs.map(({ id }) => id), turn, step })
  for (const { content, source } of inputs) session.append('steering/message', { turn, content, source }, { surfaceOp: 'append' })
  return true
}
