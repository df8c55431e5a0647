/** Keeps a model from making the same fruitless call for ever: a word of advice first, then the end of the turn. */

import type { Context } from 'cordis'
import z from 'schemastery'
import type { ContinuationDecision } from '@deepseek-ai/dsh-agent'
import { HarnessError } from '@deepseek-ai/dsh-errors'
import { text } from '@deepseek-ai/dsh-llm'
import type { Session } from '@deepseek-ai/dsh-session'
import { RepetitionCount, type Repetition } from './repetition-count.ts'

export const name = 'repeat-guard'
export const inject = ['agents']

export interface RepeatGuardConfig {
  /** After so many failures of one call, and each further one, the model is told. */
  remindAfter: number
  /** After so many the turn ends with the error `REPEATED_CALL`. */
  stopAfter: number
  /** The same for calls that succeed and say exactly the same every time, such as a command that goes on failing by its exit code. 0: never, because waiting for something looks like that too. */
  remindAfterSame: number
  stopAfterSame: number
}

export const Config: z<RepeatGuardConfig> = z.object({
  remindAfter: z.natural().min(1).default(3),
  stopAfter: z.natural().min(2).default(8),
  remindAfterSame: z.natural().default(0),
  stopAfterSame: z.natural().default(0),
}) as z<RepeatGuardConfig>

export function apply(ctx: Context, { remindAfter, stopAfter, remindAfterSame, stopAfterSame }: RepeatGuardConfig): void {
  const counts = new WeakMap<Session, RepetitionCount>()
  ctx.on('session/event', (session, event) => {
    const count = counts.get(session) ?? new RepetitionCount()
    counts.set(session, count)
    count.advance(event)
  })
  ctx.on('agent/turn-continuation', async (agent, _turn, _default, next) => {
    const decision = await next()
    const count = counts.get(agent.session)
    if (decision.action === 'stop' || !count) return decision
    const hopeless = count.find({ failures: stopAfter, sameResults: stopAfterSame || Infinity })
    if (hopeless) throw new HarnessError('REPEATED_CALL', `the model made the same call ${describe(hopeless)}`)
    const repeated = count.find({ failures: remindAfter, sameResults: remindAfterSame || Infinity })
    return repeated && !decision.reason ? remind(repeated) : decision
  })
}

function describe({ name: tool, failures, sameResults }: Repetition): string {
  return failures > 0 ? `to ${tool} ${failures} times, and it failed every time` : `to ${tool} ${sameResults} times, and it said the same every time`
}

function remind(repetition: Repetition): ContinuationDecision {
  const advice = `You made the same call ${describe(repetition)}. Do not repeat it: find out why nothing changes, try something else, or say what is in the way.`
  return { action: 'continue', reason: { content: [text(advice)], source: { kind: 'plugin', plugin: name } } }
}
