/** Shows a call that needs a permission: all of it, why it is asked, and what each answer would mean. */

import type { ApprovalQuestion, ApprovalScope, JudgedPart } from '@deepseek-ai/dsh-approval'
import type { FileDiff } from '@deepseek-ai/dsh-tools'
import { showControls, showInLine } from '@deepseek-ai/dsh-text'
import { renderDiff } from './render-diff.ts'

/** Never cut: what cannot be seen cannot be allowed. `diffs` are the tool's own picture of its arguments. */
export async function renderApproval(question: ApprovalQuestion, diffs: readonly FileDiff[] = []): Promise<string> {
  const { tool, reason, parts = [], scopes, remember } = question
  const lines = [`? allow ${tool}${reason ? ` (${reason.replaceAll('\n', ' ')})` : ''}`, ...renderArguments(question, diffs)]
  for (const diff of diffs) lines.push(' '.repeat(4) + hang(await renderDiff(diff), 4))
  if (parts.length > 0) lines.push('  of which', ...parts.map(renderPart))
  if (scopes.length > 1) lines.push(...remember.map((rule, index) => `  ${index === 0 ? 'to remember:' : '            '} ${showInLine(rule)}`))
  return showControls(`\n${lines.join('\n')}\n${renderChoices(scopes)}`)
}

/** The line to answer on. */
export function renderChoices(scopes: readonly ApprovalScope[]): string {
  const longer = scopes.filter(scope => scope !== 'once').map(scope => `[${scope.charAt(0)}]${scope.slice(1)}`)
  return `  [y]es once, ${longer.length > 0 ? `remember for this ${longer.join(', ')}, ` : ''}[n]o, or no with a reason: `
}

function renderArguments({ arguments: args }: ApprovalQuestion, diffs: readonly FileDiff[]): string[] {
  const shown = new Set(diffs.flatMap(({ path, oldText, newText }) => [path, oldText, newText]))
  return Object.entries(args)
    .filter(([, value]) => diffs.length === 0 || !isShown(value, shown))
    .map(([key, value]) => `    ${showInLine(key)}: ${typeof value === 'string' ? hang(value, 6) : JSON.stringify(value)}`)
}

/** Whether the diffs show all that there is to see of an argument. */
function isShown(value: unknown, shown: ReadonlySet<unknown>): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(each => isShown(each, shown))
  return typeof value === 'string' && shown.has(value)
}

function renderPart({ text, verdict, reason, rule }: JudgedPart): string {
  const why = rule && !reason.includes(rule.text) ? `${reason}: ${rule.text}, ${rule.source}` : reason
  return `    ${verdict.padEnd(5)} ${hang(text, 10)}  (${why.replaceAll('\n', ' ')})`
}

/** Every line but the first moved to the right. */
function hang(text: string, by: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(by)}`)
}
