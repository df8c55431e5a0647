/** Says in words why a turn ended, for every ending that is not a clean completion. Pure. */

import type { TurnEndReason } from '@deepseek-ai/dsh-session'

/** Undefined for a clean completion; otherwise one sentence with what to do where there is something. */
export function describeEnd(reason: TurnEndReason): string | undefined {
  switch (reason.kind) {
    case 'completed':
      return undefined
    case 'aborted':
      return `stopped${reason.reason ? `: ${reason.reason}` : ''}`
    case 'error':
      return `the turn failed${reason.step > 0 ? ` in step ${reason.step}` : ''}: ${reason.message}${reason.code ? ` [${reason.code}]` : ''}`
    case 'disposed':
      return 'the agent was shut down before the turn ended'
    case 'max-tokens':
      return "the answer was cut off at the model's output limit; ask it to go on"
    case 'rejected':
      return `the prompt was not accepted: ${reason.reason}`
    case 'interrupted':
      return 'the turn was interrupted by a crash'
    case 'limit':
      return `the turn ran out of its budget of ${LIMIT_NAMES[reason.which]}`
    default:
      return `the turn ended: ${(reason as { kind: string }).kind}`
  }
}

const LIMIT_NAMES = { steps: 'steps (--max-steps)', tokens: 'tokens', cost: 'cost', deadline: 'time (--timeout)' } as const
