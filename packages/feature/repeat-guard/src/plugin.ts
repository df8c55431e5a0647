/** Keeps a model from making the same failing call for ever: a word of advice first, then the end of the turn. */

import type { Context } from 'cordis'
import z from 'schemastery'
import type { ContinuationDecision } from '@deepseek-ai/dsh-agent'
import { HarnessError } from '@deepseek-ai/dsh-errors'
import { text } from '@deepseek-ai/dsh-llm'
import type { Session } from '@deepseek-ai/dsh-session'
import { FailureCount, type RepeatedFailure } from './failure-count.ts'

export const name = 'repeat-guard'
export const inject = ['agents']

export interface RepeatGuardConfig {
  /** After so many failures of one call, and each further one, the model is told. */
  remindAfter: number
  /** After so many the turn ends with the error `REPEATED_FAILURE`. */
  stopAfter: number
}

export const Config: z<RepeatGuardConfig> = z.object({
  remindAfter: z.natural().min(1).default(3),
  stopAfter: z.natural().min(2).default(8),
}) as z<RepeatGuardConfig>

export function apply(ctx: Context, { remindAfter, stopAfter }: RepeatGuardConfig): void {
  const counts = new WeakMap<Session, FailureCount>()
  ctx.on('session/event', (session, event) => {
    const count = counts.get(session) ?? new FailureCount()
    counts.set(session, count)
    count.advance(event)
  })
  ctx.on('agent/turn-continuation', async (agent, _turn, _default, next) => {
    const decision = await next()
    const worst = counts.get(agent.session)?.worst()
    if (decision.action === 'stop' || !worst || worst.times < remindAfter) return decision
    if (worst.times >= stopAfter) throw new HarnessError('REPEATED_FAILURE', `the model made the same failing call to ${worst.name} ${worst.times} times`)
    return decision.reason ? decision : remind(worst)
  })
}

function remind({ name: tool, times }: RepeatedFailure): ContinuationDecision {
  const advice = `The same call to ${tool} has failed ${times} times. Do not repeat it: find out why it fails, try something else, or say what is in the way.`
  return { action: 'continue', reason: { content: [text(advice)], source: { kind: 'plugin', plugin: name } } }
}
