/** One turn: from claimed input to the reason why it ended. */

import { toHarnessError } from '@deepseek-ai/dsh-errors'
import { deepFreeze } from '@deepseek-ai/dsh-json'
import type { ContinuationDecision, PromptDecision, TurnOutcome } from '@deepseek-ai/dsh-agent'
import type { TurnEndReason } from '@deepseek-ai/dsh-session'
import type { QueuedInput } from './inbox.ts'
import { runStep } from './run-step.ts'
import { TurnStop } from './stop.ts'
import type { TurnRun } from './turn-run.ts'

/** A finished turn, with the error that ended it if one did. */
export interface FinishedTurn extends TurnOutcome {
  error?: Error
}

/** How far a turn has come, for the report of a failure. */
interface Progress {
  step: number
  truncated: boolean
}

/**
 * Opens the turn, claims everything queued, runs steps until none is wanted,
 * and closes it. Never rejects: a failure is the turn's reason.
 */
export async function runTurn(run: TurnRun): Promise<FinishedTurn> {
  const { session, inbox, turn, signal } = run
  const inputs = inbox.all()
  const source = inputs[0]?.source ?? { kind: 'user' }
  const progress: Progress = { step: 0, truncated: false }
  let reason: TurnEndReason
  let failure: Error | undefined
  try {
    session.append('turn/start', { turn, trigger: { kind: 'message', source } })
    session.append('inbox/claimed', { ids: inputs.map(({ id }) => id), turn })
    reason = await runBody(run, inputs, progress)
  } catch (error) {
    const stop = signal.aborted ? signal.reason : error
    if (stop instanceof TurnStop) reason = stop.reason
    else {
      const { message, code } = (failure = toHarnessError(error))
      reason = { kind: 'error', step: progress.step, message, code }
    }
  }
  if (session.openTurn === turn) session.append('turn/end', { turn, reason })
  return { turn, steps: progress.step, reason, ...(failure && { error: failure }) }
}

async function runBody(run: TurnRun, inputs: readonly QueuedInput[], progress: Progress): Promise<TurnEndReason> {
  const blocked = await submit(run, inputs)
  if (blocked !== undefined) return { kind: 'rejected', reason: blocked }
  for (;;) {
    progress.step++
    const { wantsMore, truncated } = await runStep(run, progress.step)
    progress.truncated ||= truncated
    const goOn = await decide(run, wantsMore)
    run.signal.throwIfAborted()
    if (!goOn) return progress.truncated ? { kind: 'max-tokens' } : { kind: 'completed' }
    const which = run.budget.exhausted()
    if (which) return { kind: 'limit', which }
  }
}

/** Puts each message before `agent/prompt-submit` and logs it; the last reason when every one was blocked. */
async function submit({ ctx, agent, session, signal }: TurnRun, inputs: readonly QueuedInput[]): Promise<string | undefined> {
  let blocked: string | undefined
  let allowed = false
  for (const { content, source } of inputs) {
    const decision = await ctx.root.waterfall(agent.scope as never, 'agent/prompt-submit', agent, content, source, () => Promise.resolve<PromptDecision>({ kind: 'allow' }))
    signal.throwIfAborted()
    if (decision.kind === 'block') {
      blocked = decision.reason
      session.append('prompt/blocked', { content, source, reason: decision.reason })
      continue
    }
    allowed = true
    session.append('user/message', { content: decision.content ?? content, source }, { surfaceOp: 'append' })
    const extra = decision.additionalContext
    if (extra) session.append('context/message', { content: deepFreeze(extra.content), source: extra.source }, { surfaceOp: 'append' })
  }
  return allowed ? undefined : blocked
}

/** Whether there is another step. Steering that waits overrides a stop; a reason to go on becomes steering. */
async function decide({ ctx, agent, inbox, turn }: TurnRun, wantsMore: boolean): Promise<boolean> {
  const byDefault: ContinuationDecision = wantsMore ? { action: 'continue' } : { action: 'stop' }
  const decision = await ctx.root.waterfall(agent.scope as never, 'agent/turn-continuation', agent, turn, byDefault, () => Promise.resolve(byDefault))
  if (decision.action === 'continue' && decision.reason) agent.steer(decision.reason.content, { source: decision.reason.source })
  return decision.action === 'continue' || inbox.steering().length > 0
}
