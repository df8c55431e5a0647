import { describe, expect, it } from 'vitest'
import { elicitationForm, readElicitation } from '../src/elicitation-form.ts'

const QUESTIONS = [{ question: 'Which?', options: ['a', 'b'] }, { question: 'Which ones?', options: ['c', 'd'], multiple: true }, { question: 'Why?' }]

describe('a form', () => {
  it('has a field for each question, and one for other words where there are options', () => {
    expect(elicitationForm(QUESTIONS)).toEqual({
      type: 'object',
      properties: {
        question_1: { type: 'string', title: 'Which?', enum: ['a', 'b'] },
        question_1_other: { type: 'string', title: 'Something else' },
        question_2: { type: 'array', title: 'Which ones?', items: { type: 'string', enum: ['c', 'd'] } },
        question_2_other: { type: 'string', title: 'Something else' },
        question_3: { type: 'string', title: 'Why?' },
      },
    })
  })

  it.each([
    [{ action: 'accept', content: { question_1: 'a', question_2: ['c', 'd'], question_2_other: 'e', question_3: 'because' } }, { kind: 'answered', answers: [['a'], ['c', 'd', 'e'], ['because']] }],
    [{ action: 'accept', content: { question_1: 7, question_2: [null], question_3: ' ' } }, { kind: 'answered', answers: [[], [], []] }],
    [{ action: 'accept' }, { kind: 'answered', answers: [[], [], []] }],
    [{ action: 'decline' }, { kind: 'declined' }],
    [{ action: 'cancel' }, { kind: 'declined', reason: 'the questions were closed without an answer' }],
    [{ action: 'shrug' }, { kind: 'declined', reason: 'the questions were closed without an answer' }],
  ])('answered with %j means %j', (response, answer) => {
    expect(readElicitation(response, QUESTIONS)).toEqual(answer)
  })
})
