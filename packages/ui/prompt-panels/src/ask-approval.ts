/** Asks the user about a tool call: shows exactly what would run, and what each answer would be remembered as. */

import { wrapTextWithAnsi } from '@earendil-works/pi-tui'
import type { ApprovalAnswer, ApprovalQuestion, ApprovalScope, JudgedPart } from '@deepseek-ai/dsh-approval'
import { renderDiff, type Theme } from '@deepseek-ai/dsh-terminal-view'
import { showControls, showInLine } from '@deepseek-ai/dsh-text'
import type { ToolDefinition } from '@deepseek-ai/dsh-tools'
import { ChoicePanel, type PanelChoice, type PanelOptions } from './choice-panel.ts'
import { describeCall } from '@deepseek-ai/dsh-transcript'

export interface AskOptions {
  theme: Theme
  fit: Pick<PanelOptions, 'rows' | 'overflow'>
  toolOf(name: string): ToolDefinition | undefined
  onAnswer(answer: ApprovalAnswer): void
}

const DIFF_LINES = 100

/** Lines of rules below the choices; more stand above them, too. */
const MOST_BELOW = 6

export function approvalPanel(question: ApprovalQuestion, { theme, fit, toolOf, onAnswer }: AskOptions): ChoicePanel {
  return new ChoicePanel({
    ...fit,
    theme,
    head: width => {
      const rules = renderRules(question, width, theme)
      return [...renderQuestion(question, width, { theme, tool: toolOf(question.tool) }), ...(rules.length > MOST_BELOW ? [...rules, ''] : [])]
    },
    choices: choicesOf(question),
    foot: width => {
      const rules = renderRules(question, width, theme)
      return rules.length > MOST_BELOW ? [...rules.slice(0, MOST_BELOW - 1), theme.dim('… all of them stand above')] : rules
    },
    escape: 'refuses',
    onChoose: ([value = 'no'], words) => onAnswer(answerOf(value, words)),
    onCancel: () => onAnswer({ kind: 'deny' }),
  })
}

/** The head of the panel: tool, reason, the exact call. */
export function renderQuestion(question: ApprovalQuestion, width: number, { theme, tool }: { theme: Theme; tool: ToolDefinition | undefined }): string[] {
  const { reason, parts } = question
  const title = `${theme.warning('?')} ${theme.bold(`allow ${showInLine(question.tool)}?`)}${reason === undefined ? '' : ` ${showInLine(reason)}`}`
  const call = { name: question.tool, arguments: JSON.stringify(question.arguments) }
  const { diffs } = describeCall(call, tool)
  const body = diffs && diffs.length > 0
    ? diffs.flatMap(change => renderDiff(change, { width: Math.max(1, width - 2), theme, mostLines: DIFF_LINES }))
    : Object.entries(question.arguments).flatMap(([key, value]) => wrapTextWithAnsi(`${theme.dim(`${showInLine(key)}:`)} ${show(value)}`, Math.max(1, width - 2)))
  return [...wrapTextWithAnsi(title, width), ...body.map(line => `  ${line}`), ...renderParts(parts ?? [], width, theme), '']
}

/** Only a line of several commands needs to be told apart. */
function renderParts(parts: readonly JudgedPart[], width: number, theme: Theme): string[] {
  if (parts.length < 2) return []
  return parts.flatMap(({ text, verdict, reason }) => {
    const mark = verdict === 'allow' ? theme.success('✓') : verdict === 'ask' ? theme.warning('?') : theme.error('✗')
    return wrapTextWithAnsi(`  ${mark} ${showInLine(text)} ${theme.dim(showInLine(reason))}`, width)
  })
}

function show(value: unknown): string {
  return showControls(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('\t', '    ')
}

const SCOPES: Readonly<Record<ApprovalScope, { key: string; label: string }>> = {
  once: { key: 'y', label: 'yes, this once' },
  turn: { key: 't', label: 'yes, and allow it for the rest of this turn' },
  session: { key: 's', label: 'yes, and allow it in this session' },
  project: { key: 'p', label: 'yes, and allow it in this project from now on' },
}

function choicesOf({ scopes }: ApprovalQuestion): PanelChoice[] {
  return [
    ...scopes.map(scope => ({ value: scope, ...SCOPES[scope] })),
    { value: 'no', key: 'n', label: 'no' },
    { value: 'words', key: 'w', label: 'no, and tell the model why', wantsWords: true },
  ]
}

/** What an answer for longer than this once would be remembered as, whole. */
function renderRules({ scopes, remember }: ApprovalQuestion, width: number, theme: Theme): string[] {
  const keys = scopes.filter(scope => scope !== 'once').map(scope => SCOPES[scope].key)
  if (remember.length === 0 || keys.length === 0) return []
  return wrapTextWithAnsi(theme.dim(`${keys.join(', ')} allow from then on: ${remember.map(showInLine).join(', ')}`), width)
}

function answerOf(value: string, words: string): ApprovalAnswer {
  if (value === 'once' || value === 'turn' || value === 'session' || value === 'project') return { kind: 'allow', scope: value }
  return { kind: 'deny', ...(words !== '' && { reason: words }) }
}
