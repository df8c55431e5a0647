/** Gives the model one tool, `ask_user`: questions to the human behind the front door. */

import type { Context } from 'cordis'
import z from 'schemastery'
import type { InquiryAnswer } from '@deepseek-ai/dsh-approval'
import { defineTool, text, type ToolDefinition } from '@deepseek-ai/dsh-tools'
import { advertise } from './advertise.ts'
import { checkQuestions, type QuestionBounds } from './check-questions.ts'
import { AskUserError } from './errors.ts'
import { renderAnswers, renderQuestions } from './render-answers.ts'

export const name = 'tool-ask-user'
export const inject = ['tools', 'approval', 'agents']

export type ToolAskUserConfig = QuestionBounds

export const Config: z<ToolAskUserConfig> = z.object({
  maxQuestions: z.natural().min(1).default(8).description('How many questions one call may ask.'),
  maxOptions: z.natural().min(1).default(12).description('How many options a question may have.'),
  maxQuestionLength: z.natural().min(1).default(4000).description('Length of a question, in characters.'),
  maxOptionLength: z.natural().min(1).default(500).description('Length of an option, in characters.'),
})

const DECIDE_YOURSELF = 'Decide yourself with what you know, and say in your answer what you assumed.'

export function apply(ctx: Context, bounds: ToolAskUserConfig): void {
  advertise(ctx, askUser(ctx, bounds))
}

function askUser(ctx: Context, bounds: QuestionBounds): ToolDefinition {
  return defineTool({
    name: 'ask_user',
    description: 'Ask the user when you cannot go on well without a decision or a fact that only they have. Ask everything in one call. The user may also answer in their own words.',
    parameters: {
      questions: {
        type: 'array',
        required: true,
        items: {
          type: 'object',
          properties: {
            question: { type: 'string', required: true },
            options: { type: 'array', items: { type: 'string' }, description: 'Answers to choose from.' },
            multiple: { type: 'boolean', description: 'More than one option may be chosen.' },
          },
        },
      },
    },
    kind: 'think',
    concurrency: 'exclusive',
    async execute({ questions }, { agent, callId, signal }) {
      if (!agent || !ctx.approval.canInquire) throw new AskUserError('NOBODY_TO_ASK', `nobody can be asked here. ${DECIDE_YOURSELF}`)
      const checked = checkQuestions(questions, bounds)
      const answers = answersOf(await ctx.approval.inquire({ agent, callId, questions: checked }, signal))
      return [text(renderAnswers(checked, answers))]
    },
    presentCall: ({ questions }) => ({ card: 'generic', kind: 'think', title: 'Ask the user', content: [text(renderQuestions(questions))] }),
  })
}

/** Throws `DECLINED` and `NOBODY_TO_ASK` when there are none. */
function answersOf(answer: InquiryAnswer): string[][] {
  switch (answer.kind) {
    case 'answered':
      return answer.answers
    case 'declined':
      throw new AskUserError('DECLINED', `the user does not answer${answer.reason === undefined ? '' : `: ${answer.reason}`}. ${DECIDE_YOURSELF}`)
    case 'unavailable':
      throw new AskUserError('NOBODY_TO_ASK', `${answer.reason ?? 'nobody can be asked here'}. ${DECIDE_YOURSELF}`)
  }
}
