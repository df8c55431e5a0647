/** Modes and rules as Markdown. Pure. */

import type { Allowance, PermissionMode, RuleReference } from '@deepseek-ai/dsh-approval'

export interface Permissions {
  /** The session's; undefined when nothing decides about permissions. */
  mode: string | undefined
  modes: readonly PermissionMode[]
  rules: readonly RuleReference[]
}

const SCOPES = { project: 'in this project', session: 'in this session', turn: 'until this turn ends' } as const

/** What answers left, the longest lived first: the end of a turn must not change the numbers of the others. */
export function allowancesOf(rules: readonly RuleReference[]): RuleReference[] {
  const order = Object.keys(SCOPES)
  const rank = ({ allowed }: RuleReference): number => order.indexOf(allowed?.scope ?? '')
  return rules.filter(({ allowed }) => allowed !== undefined).toSorted((a, b) => rank(a) - rank(b))
}

/** For how long, since when, and on which occasion. */
export function describeAllowance({ scope, time, tool, session }: Allowance): string {
  const parts = [time !== undefined && `since ${minuteOf(new Date(time))}`, tool !== undefined && `when ${tool} was asked about`, session !== undefined && `in session ${session}`]
  return [SCOPES[scope], ...parts.filter(part => part !== false)].join(', ')
}

export function renderPermissions({ mode, modes, rules }: Permissions): string {
  if (mode === undefined) return 'No plugin decides about permissions: everything runs.'
  const chosen = modes.map(({ name, description }) => `- ${name === mode ? `**${name}** (now)` : name}: ${description}`)
  const written = rules.filter(({ allowed }) => allowed === undefined).map(rule => `- ${rule.action} ${code(rule.text)}, ${rule.source}${idleOf(rule)}`)
  const allowed = allowancesOf(rules).map((rule, i) => `${i + 1}. ${code(rule.text)} ${rule.allowed ? describeAllowance(rule.allowed) : ''}${rule.allowed?.scope === 'project' && rule.source.includes(':') ? ` (${rule.source})` : ''}${idleOf(rule)}`)
  return [
    ...chosen,
    '',
    ...(rules.length === 0 ? ['No rules beside the mode.'] : []),
    ...(written.length > 0 ? ['Rules, in the order in which they are tried:', '', ...written] : []),
    ...(allowed.length > 0 ? [...(written.length > 0 ? [''] : []), `Allowed by your answers${written.length > 0 ? ', tried after these rules' : ''}:`, '', ...allowed, '', '**/permissions revoke N** takes one back; the next such call asks again.'] : []),
  ].join('\n')
}

function idleOf({ idle }: RuleReference): string {
  return idle === undefined ? '' : `; never holds: ${idle}`
}

/** In the user's own time. */
function minuteOf(date: Date): string {
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`
}

/** As CommonMark wants it: more backticks around than within, and blanks where it begins or ends with one. */
export function code(text: string): string {
  const mark = '`'.repeat(1 + Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)))
  const inner = /^`|`$/.test(text) ? ` ${text} ` : text
  return `${mark}${inner}${mark}`
}
