/** What the model reads of the answers to its questions. Pure. */

import type { UserQuestion } from '@deepseek-ai/dsh-approval'

/** Each question with its answer; one without is told to be open. */
export function renderAnswers(questions: readonly UserQuestion[], answers: readonly (readonly string[])[]): string {
  return questions.map(({ question }, index) => `${index + 1}. ${question}\n${renderAnswer(answers[index] ?? [])}`).join('\n')
}

/** Each question with its options, as a screen shows the call. */
export function renderQuestions(questions: readonly UserQuestion[]): string {
  return questions.map(({ question, options = [] }, index) => [`${index + 1}. ${question}`, ...options.map(option => `   - ${option}`)].join('\n')).join('\n')
}

function renderAnswer(answer: readonly string[]): string {
  if (answer.length === 0) return '   (left open: decide yourself)'
  return answer.map(each => `   - ${each.replaceAll('\n', '\n     ')}`).join('\n')
}
