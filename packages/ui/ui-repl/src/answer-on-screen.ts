/** Answers approvals and the model's questions with what the user chooses on the screen. */

import type { Context } from 'cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { Answerer, ApprovalAnswer, InquiryAnswer } from '@deepseek-ai/dsh-approval'
import { approvalPanel, questionPanel } from '@deepseek-ai/dsh-prompt-panels'
import type { ReplScreen } from './repl-screen.ts'

export interface WaitingView {
  waiting(callId: string, isWaiting: boolean): void
  /** Whether the user is talking with this agent. */
  isShown(agent: Agent): boolean
}

export function answerOnScreen(ctx: Context, { attention, fit, slot, theme }: ReplScreen, view: WaitingView): Answerer {
  return {
    async approve(question, signal) {
      const toolOf = (name: string) => ctx.get('tools')?.get(name, question.agent.scope)
      view.waiting(question.callId, true)
      attention.call(`may ${question.tool} run?`)
      try {
        return await slot.ask<ApprovalAnswer>(answer => approvalPanel(question, { theme, fit, toolOf, onAnswer: answer }), signal, { isUnasked: true })
      } finally {
        view.waiting(question.callId, false)
      }
    },
    async inquire({ agent, questions }, signal): Promise<InquiryAnswer> {
      if (!view.isShown(agent)) return { kind: 'unavailable', reason: 'the user talks with another agent' }
      const answers: string[][] = []
      attention.call(questions[0]?.question ?? 'a question')
      for (const [i, question] of questions.entries()) {
        const answer = await slot.ask<string[] | undefined>(settle => questionPanel(question, { theme, fit, place: [i + 1, questions.length], onAnswer: settle, onDecline: () => settle(undefined) }), signal, { isUnasked: i === 0 })
        if (!answer) return { kind: 'declined' }
        answers.push(answer)
      }
      return { kind: 'answered', answers }
    },
  }
}
