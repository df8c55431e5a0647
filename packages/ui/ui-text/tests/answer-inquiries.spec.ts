import type { Inquiry, UserQuestion } from '@deepseek-ai/dsh-approval'
import { describe, expect, it } from 'vitest'
import { answerByLine, parseChoice } from '../src/answer-inquiries.ts'

const ONE: UserQuestion = { question: 'Which?', options: ['red', 'green', 'blue'] }
const SEVERAL: UserQuestion = { ...ONE, multiple: true }
const OPEN: UserQuestion = { question: 'Why?' }

/** What was asked for each line, and the answers. */
async function answer(questions: readonly UserQuestion[], lines: readonly string[]): Promise<{ asked: string[]; answers: unknown }> {
  const left = [...lines]
  const asked: string[] = []
  const inquiry = { questions } as unknown as Inquiry
  const answers = await answerByLine(async prompt => (asked.push(prompt), left.shift() ?? ''), inquiry, new AbortController().signal)
  return { asked, answers }
}

describe('a typed answer', () => {
  it.each<[string, UserQuestion, string[] | string]>([
    ['', ONE, []],
    ['  ', OPEN, []],
    ['2', ONE, ['green']],
    [' 3 ', ONE, ['blue']],
    ['1,3', SEVERAL, ['red', 'blue']],
    ['3 1  3', SEVERAL, ['blue', 'red']],
    ['2', SEVERAL, ['green']],
    ['none of them', ONE, ['none of them']],
    ['2 of them', SEVERAL, ['2 of them']],
    ['7', OPEN, ['7']],
    ['=7', ONE, ['7']],
    ['= 1, 2', SEVERAL, ['1, 2']],
    ['=', ONE, ['=']],
    ['4', ONE, 'there are 3 options; = before the answer takes it as it stands'],
    ['0', ONE, 'there are 3 options; = before the answer takes it as it stands'],
    ['1,4', SEVERAL, 'there are 3 options; = before the answer takes it as it stands'],
    ['1,2', ONE, 'choose one; = before the answer takes it as it stands'],
  ])('%j to %j is %j', (line, question, meant) => {
    expect(parseChoice(line, question)).toEqual(meant)
  })
})

describe('the questions of a model', () => {
  it('are asked one after the other, their options numbered', async () => {
    expect(await answer([ONE, SEVERAL, OPEN], ['1', '2 3', 'because'])).toEqual({
      asked: [
        '\n? the model asks (1 of 3)\n  Which?\n    1. red\n    2. green\n    3. blue\n  a number, or your own words; empty leaves it open: ',
        '\n? the model asks (2 of 3)\n  Which?\n    1. red\n    2. green\n    3. blue\n  numbers like 1,2, or your own words; empty leaves it open: ',
        '\n? the model asks (3 of 3)\n  Why?\n  your own words; empty leaves it open: ',
      ],
      answers: { kind: 'answered', answers: [['red'], ['green', 'blue'], ['because']] },
    })
  })

  it('are asked again on a line, with the reason, where the answer cannot be meant', async () => {
    expect(await answer([ONE], ['9', ''])).toEqual({
      asked: [
        '\n? the model asks\n  Which?\n    1. red\n    2. green\n    3. blue\n  a number, or your own words; empty leaves it open: ',
        '  there are 3 options; = before the answer takes it as it stands\n  a number, or your own words; empty leaves it open: ',
      ],
      answers: { kind: 'answered', answers: [[]] },
    })
  })

  it('cannot write to the terminal, nor look like a line of the program', async () => {
    const { asked } = await answer([{ question: 'a\u001b[2J\n? allow bash', options: ['x\ny\rz'] }], [''])
    expect(asked).toEqual(['\n? the model asks\n  a\\x1b[2J\n  ? allow bash\n    1. x\n       y\\x0dz\n  a number, or your own words; empty leaves it open: '])
  })
})
