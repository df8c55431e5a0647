/** `dsh explain permission`: what would be said of a command or a call, part by part, and which rule or reason is behind it. */

import type { Context } from 'cordis'
import type { Judgement, PolicyCall, RuleReference } from '@deepseek-ai/dsh-approval'
import { UsageError } from '@deepseek-ai/dsh-command-line'
import { parseJsonObject } from '@deepseek-ai/dsh-json'
import type { Session } from '@deepseek-ai/dsh-session'
import { stripControls } from '@deepseek-ai/dsh-text'

/** Said wherever the policy is shown and there is none. */
export const NO_POLICY = 'no permission policy: everything runs'

/** What a question comes to; plain JSON. */
export interface ExplainedPermission {
  /** Undefined without a policy. */
  mode: string | undefined
  /** Of a call. */
  call?: Pick<PolicyCall, 'tool' | 'arguments'>
  judgement?: Judgement
  /** All rules in force, when no call was named. */
  rules?: readonly RuleReference[]
}

/**
 * `words`: none for the rules in force, a command line, or the name of a tool
 * and its arguments as a JSON object. Runs nothing. Throws `UsageError` for a
 * tool that is not there. With a session, its mode and its remembered answers count.
 */
export async function explainPermission(root: Context, words: readonly string[], cwd: string, session?: Session): Promise<ExplainedPermission> {
  const policy = root.get('approval')?.policy
  const signal = AbortSignal.timeout(60_000)
  if (!policy) return { mode: undefined }
  const mode = (session && root.get('approval')?.modeOf(session)) ?? policy.defaultMode
  if (words.length === 0) return { mode, rules: await policy.rules(cwd, session, signal) }
  const call = readCall(root, words)
  const tool = root.get('tools')?.get(call.tool)
  return { mode, call, judgement: await policy.judge({ ...call, ...(tool?.kind && { kind: tool.kind }), cwd, ...(session && { session }) }, signal) }
}

function readCall(root: Context, words: readonly string[]): Pick<PolicyCall, 'tool' | 'arguments'> {
  const [tool = '', json = ''] = words
  if (words.length !== 2 || !json.trimStart().startsWith('{')) return { tool: 'bash', arguments: { command: words.join(' ') } }
  const parsed = parseJsonObject(json)
  if (parsed.kind === 'invalid') throw new UsageError(`the arguments of ${tool}: ${parsed.message}`)
  if (root.get('tools')?.get(tool) === undefined) throw new UsageError(`there is no tool ${tool}`)
  return { tool, arguments: parsed.value }
}

/** For a person; a line of one part each. Pure. */
export function renderPermission({ mode, call, judgement, rules = [] }: ExplainedPermission): string {
  if (mode === undefined) return `${NO_POLICY}\n`
  if (!call || !judgement) return `mode ${mode}\n${rules.length === 0 ? 'no rules\n' : rules.map(line => `${renderRule(line)}\n`).join('')}`
  const { verdict, reason, parts = [], remember } = judgement
  const what = call.tool === 'bash' ? String(call.arguments['command']) : `${call.tool} ${JSON.stringify(call.arguments)}`
  const lines = [
    `${verdict.padEnd(5)}  ${oneLine(what)}  (mode ${mode})`,
    ...(parts.length > 0 ? parts.map(part => `  ${part.verdict.padEnd(5)}  ${oneLine(part.text)}: ${oneLine(part.reason)}`) : [`  ${oneLine(reason)}`]),
    ...(remember.length > 0 ? [`rules that would allow it: ${remember.map(oneLine).join(', ')}`] : []),
  ]
  return `${lines.join('\n')}\n`
}

function renderRule({ action, text, source, idle }: RuleReference): string {
  return oneLine(`${action.padEnd(5)}  ${text}  (${source})${idle === undefined ? '' : `  never holds: ${idle}`}`)
}

function oneLine(text: string): string {
  return stripControls(text).replace(/\s*\n\s*/g, ' ⏎ ')
}
