/** Puts a model's questions on the terminal, one after the other. */

import type { Inquiry, InquiryAnswer, UserQuestion } from '@deepseek-ai/dsh-approval'
import { plural, showControls } from '@deepseek-ai/dsh-text'
import type { AskLine } from './ask-line.ts'

/** What is not understood is asked again, with the reason. */
export async function answerByLine(askLine: AskLine, { questions }: Inquiry, signal: AbortSignal): Promise<InquiryAnswer> {
  const answers: string[][] = []
  for (const [index, question] of questions.entries()) {
    const place = questions.length > 1 ? ` (${index + 1} of ${questions.length})` : ''
    answers.push(await askOne(askLine, `\n? the model asks${place}\n${renderQuestion(question)}`, question, signal))
  }
  return { kind: 'answered', answers }
}

async function askOne(askLine: AskLine, head: string, question: UserQuestion, signal: AbortSignal): Promise<string[]> {
  let prompt = head + renderHint(question)
  for (;;) {
    const answer = parseChoice(await askLine(prompt, signal), question)
    if (Array.isArray(answer)) return answer
    prompt = `  ${answer}\n${renderHint(question)}`
  }
}

function renderQuestion({ question, options = [] }: UserQuestion): string {
  const lines = [question, ...options.map((option, index) => `  ${index + 1}. ${option.replaceAll('\n', '\n     ')}`)]
  return showControls(lines.map(line => `  ${line.replaceAll('\n', '\n  ')}\n`).join(''))
}

function renderHint({ options = [], multiple }: UserQuestion): string {
  const choice = options.length === 0 ? '' : multiple ? 'numbers like 1,2, or ' : 'a number, or '
  return `  ${choice}your own words; empty leaves it open: `
}

/**
 * The options that a line names by number, or the line itself: nothing when it
 * is empty, and all after `=` when it begins with that. A sentence for the user
 * when it cannot be meant.
 */
export function parseChoice(line: string, { options = [], multiple = false }: UserQuestion): string[] | string {
  const answer = line.trim()
  if (answer === '') return []
  if (answer.startsWith('=') && answer.length > 1) return [answer.slice(1).trim()]
  if (options.length === 0 || !/^\d+(?:[\s,]+\d+)*$/.test(answer)) return [answer]
  const numbers = [...new Set(answer.split(/[\s,]+/).map(Number))]
  if (numbers.length > 1 && !multiple) return 'choose one; = before the answer takes it as it stands'
  const chosen = numbers.flatMap(number => options[number - 1] ?? [])
  if (chosen.length < numbers.length) return `there are ${plural(options.length, 'option')}; = before the answer takes it as it stands`
  return chosen
}
