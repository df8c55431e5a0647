/** What the functions of one turn share, handed down explicitly. */

import type { Context } from 'cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { deepFreeze } from '@deepseek-ai/dsh-json'
import type { Session } from '@deepseek-ai/dsh-session'
import type { BudgetMeter } from './budget.ts'
import type { Inbox } from './inbox.ts'

/** Bounds of the loop; see `AgentLoop.Config` for their meaning. */
export interface LoopLimits {
  maxAttempts: number
  maxRetryDelayMs: number
  maxParallelTools: number
  sessionStartTimeoutMs: number
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

/** A durability checkpoint: resolves when every store has what the log holds. */
export async function checkpoint({ ctx, agent, session }: Pick<TurnRun, 'ctx' | 'agent' | 'session'>): Promise<void> {
  await ctx.root.parallel(agent.scope as never, 'session/flush', session)
}

/** Waits, and rejects with the signal's reason when it is aborted first. */
export async function sleep(delayMs: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(done, delayMs)
    signal.addEventListener('abort', done, { once: true })
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      if (signal.aborted) reject(signal.reason)
      else resolve()
    }
  })
}

/** Moves steering into the log; says whether there was any. */
export function claimSteering({ session, inbox, turn }: TurnRun, step: number): boolean {
  const inputs = inbox.steering()
  if (inputs.length === 0) return false
  session.append('inbox/claimed', { ids: inputs.map(({ id }) => id), turn, step })
  for (const { content, source } of inputs) session.append('steering/message', { turn, content: deepFreeze(content), source }, { surfaceOp: 'append' })
  return true
}
