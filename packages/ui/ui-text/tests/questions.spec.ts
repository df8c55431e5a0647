import { expect, it } from 'vitest'
import { Questions, type Question } from '../src/questions.ts'

function question(prompt: string, more: Partial<Question> = {}): Question {
  return { prompt, isHidden: false, signal: new AbortController().signal, resolve: () => undefined, reject: () => undefined, ...more }
}

it('asks the last one first, those that wait behind all others, and a hidden one to its end', () => {
  const questions = new Questions()
  const hidden = question('hidden', { isHidden: true })
  questions.add(question('first'))
  questions.add(question('waits', { waits: true }))
  questions.add(hidden)
  questions.add(question('between'))
  questions.add(question('hidden, too', { isHidden: true }))
  expect(questions.top).toBe(hidden)
  expect([questions.remove(hidden), questions.remove(hidden)]).toEqual([true, false])
  expect([questions.takeTop()?.prompt, ...questions.takeAll().map(({ prompt }) => prompt)]).toEqual(['hidden, too', 'waits', 'first', 'between'])
  expect(questions.top).toBe(undefined)
})
