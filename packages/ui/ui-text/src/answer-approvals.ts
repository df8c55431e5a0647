/** Asks for permission on the terminal, one question at a time. */

import type { Answerer, ApprovalAnswer, ApprovalQuestion, ApprovalScope } from '@deepseek-ai/dsh-approval'
import { stripControls } from '@deepseek-ai/dsh-text'

/** Shows `prompt` and resolves with the next line; rejects when the signal is aborted or input ends. */
export type AskLine = (prompt: string, signal: AbortSignal) => Promise<string>

/** An answerer over lines of input. What is not understood is asked again. */
export function answerByLine(askLine: AskLine): Answerer {
  return {
    async approve(question, signal) {
      for (;;) {
        const answer = parseAnswer(await askLine(renderQuestion(question), signal), question.scopes)
        if (answer) return answer
      }
    },
  }
}

/** The exact call, and what can be answered. */
export function renderQuestion({ tool, arguments: args, reason, scopes, remember }: ApprovalQuestion): string {
  const lines = Object.entries(args).map(([key, value]) => `    ${key}: ${typeof value === 'string' ? value.replaceAll('\n', '\n      ') : JSON.stringify(value)}`)
  const choices = scopes.includes('session') ? `[y]es, [a]lways ${remember.join(', ')} in this session, [n]o, or no with a reason` : '[y]es, [n]o, or no with a reason'
  return stripControls(`\n? allow ${tool}${reason ? ` (${reason})` : ''}\n${lines.join('\n')}\n  ${choices}: `)
}

/** `n` and a reason after it refuse with words for the model; undefined when the line says neither yes nor no. */
export function parseAnswer(line: string, scopes: readonly ApprovalScope[]): ApprovalAnswer | undefined {
  const answer = line.trim()
  if (/^(y|yes)$/i.test(answer)) return { kind: 'allow', scope: 'once' }
  if (scopes.includes('session') && /^(a|always)$/i.test(answer)) return { kind: 'allow', scope: 'session' }
  const refusal = answer.match(/^(?:n|no)\b[\s,:]*(.*)$/is)
  if (!refusal) return undefined
  return { kind: 'deny', ...(refusal[1] && { reason: refusal[1] }) }
}
