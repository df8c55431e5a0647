/** How a turn's end answers the prompt that opened it. Pure. */

import type { StopReason } from '@agentclientprotocol/sdk'
import type { TurnEndReason } from '@deepseek-ai/dsh-session'

/** A stop of the protocol, or the failure that takes its place. `notice` says in words what the stop alone does not. */
export type Stop = { kind: 'stop'; stopReason: StopReason; notice?: string } | { kind: 'failed'; code: string | undefined; message: string; needsKey: boolean }

export function toStop(reason: TurnEndReason): Stop {
  switch (reason.kind) {
    case 'completed':
      return stop('end_turn')
    case 'max-tokens':
      return stop('max_tokens')
    case 'limit':
      return stop(reason.which === 'tokens' ? 'max_tokens' : 'max_turn_requests', `the turn ran out of its budget of ${reason.which === 'deadline' ? 'time' : reason.which}`)
    case 'rejected':
      return stop('refusal', `the prompt was not accepted: ${reason.reason}`)
    case 'aborted':
    case 'disposed':
    case 'interrupted':
      return stop('cancelled')
    case 'error':
      if (reason.code === 'CONTENT_FILTER') return stop('refusal', reason.message)
      return { kind: 'failed', code: reason.code, message: reason.message, needsKey: reason.code === 'AUTH' }
    default:
      return { kind: 'failed', code: undefined, message: `the turn ended: ${(reason as { kind: string }).kind}`, needsKey: false }
  }
}

function stop(stopReason: StopReason, notice?: string): Stop {
  return { kind: 'stop', stopReason, ...(notice !== undefined && { notice }) }
}
