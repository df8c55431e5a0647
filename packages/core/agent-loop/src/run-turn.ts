/** One turn: from claimed input to the reason why it ended. */

import { unlessAborted } from '@deepseek-ai/dsh-abort'
import { toHarnessError } from '@deepseek-ai/dsh-errors'
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
    reason = await runBody(run, inputs, progress)
  } catch (error) {
    const stop = signal.aborted ? signal.reason : error
    if (stop instanceof TurnStop) reason = stop.reason
    else {
      const { message, code } = (failure = toHarnessError(error))
      reason = { kind: 'error', step: progress.step, message, code }
    }
    if (session.openTurn === turn && reason.kind !== 'disposed') dropUnclaimed(run, inputs, reason)
  }
  if (session.openTurn === turn) session.append('turn/end', { turn, reason })
  return { turn, steps: progress.step, reason, ...(failure && { error: failure }) }
}

/** Input that a failed turn had not come to must not wait for ever and spring up later. A cancel has decided already. */
function dropUnclaimed({ session, inbox }: TurnRun, inputs: readonly QueuedInput[], reason: TurnEndReason): void {
  const ids = inputs.map(({ id }) => id).filter(id => inbox.has(id))
  if (ids.length > 0 && reason.kind !== 'aborted') session.append('inbox/dropped', { ids, reason: `the turn ended first: ${reason.kind}` })
}

async function runBody(run: TurnRun, inputs: readonly QueuedInput[], progress: Progress): Promise<TurnEndReason> {
  const { inbox, budget, agent, signal } = run
  const blocked = await submitAll(run, inputs)
  if (blocked !== undefined) return { kind: 'rejected', reason: blocked }
  for (;;) {
    progress.step++
    const { wantsMore, truncated } = await runStep(run, progress.step)
    progress.truncated ||= truncated
    const decision = await decide(run, wantsMore)
    signal.throwIfAborted()
    // Steering that waits overrides a stop.
    const goesOn = decision.action === 'continue' || inbox.steering().length > 0
    if (!goesOn) return progress.truncated ? { kind: 'max-tokens' } : { kind: 'completed' }
    const which = budget.exhausted()
    if (which) return { kind: 'limit', which }
    // Only now: a reason that is left in the inbox would open a turn with a fresh budget.
    if (decision.action === 'continue' && decision.reason) agent.steer(decision.reason.content, { source: decision.reason.source })
  }
}

/** Puts each message before `agent/prompt-submit` and logs it; the last reason when none was allowed. */
async function submitAll(run: TurnRun, inputs: readonly QueuedInput[]): Promise<string | undefined> {
  let blocked: string | undefined
  let allowed = false
  for (const input of inputs) {
    const reason = await submit(run, input)
    if (reason === undefined) allowed = true
    else blocked = reason
  }
  return allowed ? undefined : (blocked ?? 'nothing was left to submit')
}

/** Claims one input together with what becomes of it, so that a crash in between loses nothing. Returns why it was blocked. */
async function submit({ ctx, agent, session, inbox, turn, signal }: TurnRun, { id, content, source }: QueuedInput): Promise<string | undefined> {
  const decided = ctx.root.waterfall(agent.scope as never, 'agent/prompt-submit', agent, content, source, () => Promise.resolve<PromptDecision>({ kind: 'allow' }))
  const decision = await unlessAborted(decided, signal)
  signal.throwIfAborted()
  if (!inbox.has(id)) return 'it was taken back'
  session.append('inbox/claimed', { ids: [id], turn })
  if (decision.kind === 'block') {
    session.append('prompt/blocked', { content, source, reason: decision.reason })
    return decision.reason
  }
  session.append('user/message', { content: decision.content ?? content, source }, { surfaceOp: 'append' })
  const extra = decision.additionalContext
  if (extra) session.append('context/message', { content: extra.content, source: extra.source }, { surfaceOp: 'append' })
  return undefined
}

/** What the plugins make of the default: on after tool calls or steering, else stop. */
async function decide({ ctx, agent, turn, signal }: TurnRun, wantsMore: boolean): Promise<ContinuationDecision> {
  const byDefault: ContinuationDecision = wantsMore ? { action: 'continue' } : { action: 'stop' }
  const decided = ctx.root.waterfall(agent.scope as never, 'agent/turn-continuation', agent, turn, byDefault, () => Promise.resolve(byDefault))
  return await unlessAborted(decided, signal)
}
