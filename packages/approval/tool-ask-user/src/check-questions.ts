/** Decides whether questions that a model wrote can be put to somebody. Pure. */

import type { UserQuestion } from '@deepseek-ai/dsh-approval'
import { plural } from '@deepseek-ai/dsh-text'
import { AskUserError } from './errors.ts'

/** What one call may ask. */
export interface QuestionBounds {
  maxQuestions: number
  /** Of one question. */
  maxOptions: number
  /** Of a question, in UTF-16 units. */
  maxQuestionLength: number
  /** Of an option, in UTF-16 units. */
  maxOptionLength: number
}

/** The questions trimmed, an empty list of options left out. Throws `INVALID_QUESTIONS`, naming the question. */
export function checkQuestions(questions: readonly UserQuestion[], bounds: QuestionBounds): UserQuestion[] {
  const { length } = questions
  if (length === 0) throw invalid('there is no question')
  if (length > bounds.maxQuestions) throw invalid(`there are ${length} questions; ask ${bounds.maxQuestions} at most`)
  return questions.map((question, index) => checkQuestion(question, `question ${index + 1}`, bounds))
}

function checkQuestion({ question, options = [], multiple }: UserQuestion, name: string, bounds: QuestionBounds): UserQuestion {
  const text = checkText(question, name, bounds.maxQuestionLength)
  if (options.length === 0) return { question: text }
  if (options.length > bounds.maxOptions) throw invalid(`${name} has ${plural(options.length, 'option')}; give ${bounds.maxOptions} at most`)
  const checked = options.map((option, index) => checkText(option, `option ${index + 1} of ${name}`, bounds.maxOptionLength))
  const twice = checked.find((option, index) => checked.indexOf(option) !== index)
  if (twice !== undefined) throw invalid(`${name} has the option "${twice}" twice`)
  return { question: text, options: checked, ...(multiple && { multiple }) }
}

function checkText(text: string, name: string, most: number): string {
  const trimmed = text.trim()
  if (trimmed === '') throw invalid(`${name} is empty`)
  if (trimmed.length > most) throw invalid(`${name} has ${trimmed.length} characters; ${most} are the most`)
  return trimmed
}

function invalid(message: string): AskUserError {
  return new AskUserError('INVALID_QUESTIONS', message)
}
