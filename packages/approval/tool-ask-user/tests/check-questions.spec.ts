import type { UserQuestion } from '@deepseek-ai/dsh-approval'
import { describe, expect, it } from 'vitest'
import { checkQuestions } from '../src/check-questions.ts'

const BOUNDS = { maxQuestions: 2, maxOptions: 3, maxQuestionLength: 20, maxOptionLength: 5 }

describe('questions of a model', () => {
  it('are trimmed, and keep their options', () => {
    expect(checkQuestions([{ question: ' Which? ', options: [' a', 'b '], multiple: true }, { question: 'Why?', options: [], multiple: true }], BOUNDS)).toEqual([
      { question: 'Which?', options: ['a', 'b'], multiple: true },
      { question: 'Why?' },
    ])
  })

  it.each<[string, UserQuestion[], string]>([
    ['none', [], 'there is no question'],
    ['too many', Array.from({ length: 3 }, () => ({ question: 'a' })), 'there are 3 questions; ask 2 at most'],
    ['an empty one', [{ question: 'a' }, { question: ' \n' }], 'question 2 is empty'],
    ['one that is too long', [{ question: 'x'.repeat(21) }], 'question 1 has 21 characters; 20 are the most'],
    ['one with too many options', [{ question: 'a', options: ['1', '2', '3', '4'] }], 'question 1 has 4 options; give 3 at most'],
    ['one with an empty option', [{ question: 'a', options: ['1', ''] }], 'option 2 of question 1 is empty'],
    ['one with an option that is too long', [{ question: 'a', options: ['123456'] }], 'option 1 of question 1 has 6 characters; 5 are the most'],
    ['one with the same option twice', [{ question: 'a', options: ['1', ' 1'] }], 'question 1 has the option "1" twice'],
  ])('are refused: %s', (_what, questions, message) => {
    expect(() => checkQuestions(questions, BOUNDS)).toThrow(expect.objectContaining({ code: 'INVALID_QUESTIONS', message }))
  })
})
