/** The human at the terminal, as whoever asks for permissions and answers sees them. */

import type { Context } from 'cordis'
import type { Answerer, ApprovalQuestion } from '@deepseek-ai/dsh-approval'
import { describeError } from '@deepseek-ai/dsh-errors'
import type { FileDiff } from '@deepseek-ai/dsh-tools'
import { approveByLine } from './answer-approvals.ts'
import { answerByLine } from './answer-inquiries.ts'
import type { AskLine } from './ask-line.ts'

/** Permissions are asked for whoever works here; questions come from the agent that one talks with only. */
export function terminalAnswerer(ctx: Context, askLine: AskLine): Answerer {
  return {
    approve: (question, signal) => approveByLine(askLine, question, diffsOf(ctx, question), signal),
    async inquire(inquiry, signal) {
      if (inquiry.agent !== ctx.frontDoor.remembered?.agent) return { kind: 'unavailable', reason: 'the user talks with another agent' }
      return await answerByLine(askLine, inquiry, signal)
    },
  }
}

/** What the tool itself would show of the call. */
function diffsOf(ctx: Context, { tool, agent, arguments: args }: ApprovalQuestion): FileDiff[] {
  try {
    const view = ctx.get('tools')?.get(tool, agent.scope)?.presentCall?.(args)
    return view?.card === 'diff' ? view.diffs : []
  } catch (error) {
    ctx.logger.debug('the tool %s cannot show its call: %s', tool, describeError(error))
    return []
  }
}
