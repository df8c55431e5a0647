/** A model's questions as a form of the protocol, and the filled-in form as answers. Pure. */

import type { ElicitationSchema } from '@agentclientprotocol/sdk'
import type { InquiryAnswer, UserQuestion } from '@deepseek-ai/dsh-approval'

/** One field a question, and one for words of one's own where there are options. */
export function elicitationForm(questions: readonly UserQuestion[]): ElicitationSchema {
  const properties: ElicitationSchema['properties'] = {}
  questions.forEach(({ question, options, multiple }, index) => {
    if (!options || options.length === 0) {
      properties[fieldOf(index)] = { type: 'string', title: question }
      return
    }
    properties[fieldOf(index)] = multiple ? { type: 'array', title: question, items: { type: 'string', enum: [...options] } } : { type: 'string', title: question, enum: [...options] }
    properties[ownWordsOf(index)] = { type: 'string', title: 'Something else' }
  })
  return { type: 'object', properties }
}

/** What the client answered. What does not fit its field counts as left open. */
export function readElicitation(response: unknown, questions: readonly UserQuestion[]): InquiryAnswer {
  const { action, content } = (response ?? {}) as { action?: unknown; content?: Readonly<Record<string, unknown>> | null }
  if (action === 'decline') return { kind: 'declined' }
  if (action !== 'accept') return { kind: 'declined', reason: 'the questions were closed without an answer' }
  return { kind: 'answered', answers: questions.map((_, index) => [...wordsOf(content?.[fieldOf(index)]), ...wordsOf(content?.[ownWordsOf(index)])]) }
}

function wordsOf(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value]
  return values.filter((each): each is string => typeof each === 'string' && each.trim() !== '')
}

function fieldOf(index: number): string {
  return `question_${index + 1}`
}

function ownWordsOf(index: number): string {
  return `question_${index + 1}_other`
}
