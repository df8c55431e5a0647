/** Asks for permission on the terminal, one question at a time. */

import type { ApprovalAnswer, ApprovalQuestion, ApprovalScope } from '@deepseek-ai/dsh-approval'
import type { FileDiff } from '@deepseek-ai/dsh-tools'
import type { AskLine } from './ask-line.ts'
import { renderApproval, renderChoices } from './render-approval.ts'

/** Shows the whole call once; what is not understood is asked again on a line of its own. */
export async function approveByLine(askLine: AskLine, question: ApprovalQuestion, diffs: readonly FileDiff[], signal: AbortSignal): Promise<ApprovalAnswer> {
  let prompt = await renderApproval(question, diffs)
  for (;;) {
    const answer = parseApproval(await askLine(prompt, signal), question.scopes)
    if (answer) return answer
    prompt = renderChoices(question.scopes)
  }
}

/** By its first letter or the word. `n` and a reason after it refuse with words for the model; undefined when the line says neither yes nor no. */
export function parseApproval(line: string, scopes: readonly ApprovalScope[]): ApprovalAnswer | undefined {
  const answer = line.trim()
  const word = answer.toLowerCase()
  if (word === 'y' || word === 'yes') return { kind: 'allow', scope: 'once' }
  const scope = scopes.find(each => each === word || (each !== 'once' && each.charAt(0) === word))
  if (scope) return { kind: 'allow', scope }
  const refusal = answer.match(/^(?:n|no)\b[\s,:]*(.*)$/is)
  if (!refusal) return undefined
  return { kind: 'deny', ...(refusal[1] && { reason: refusal[1] }) }
}
