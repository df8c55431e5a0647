/** Ends a run that has taken as many turns as it may: `--max-turns`. */

import type { Context } from 'cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'

/** How the log names the end of a turn that was one too many. */
export const TOO_MANY_TURNS = 'the run has taken all its turns (--max-turns)'

/** What is known of a run's turns. */
export interface TurnLimit {
  /** Whether a turn more than allowed was wanted. */
  readonly isExceeded: boolean
}

/** Stops any turn after the first `most` as it opens, before the model is asked. Turns that only take in context do not count. */
export function limitTurns(ctx: Context, agent: Agent, most: number): TurnLimit {
  const limit = { isExceeded: false }
  let turns = 0
  ctx.on('session/event', (session, event) => {
    if (session !== agent.session || event.type !== 'turn/start' || event.data.trigger.kind !== 'message') return
    if (++turns <= most) return
    limit.isExceeded = true
    agent.cancel(TOO_MANY_TURNS)
  })
  return limit
}
