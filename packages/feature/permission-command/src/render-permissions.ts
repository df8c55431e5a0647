/** Modes and rules as Markdown. Pure. */

import type { PermissionMode, RuleReference } from '@deepseek-ai/dsh-approval'

export interface Permissions {
  /** The session's; undefined when nothing decides about permissions. */
  mode: string | undefined
  modes: readonly PermissionMode[]
  rules: readonly RuleReference[]
}

/** How an answer that one is sorry for is taken back. */
const UNDO = 'What was allowed in a turn or a session ends with it (**/clear** begins another session); a rule with a file ends when its line is taken out there.'

export function renderPermissions({ mode, modes, rules }: Permissions): string {
  if (mode === undefined) return 'No plugin decides about permissions: everything runs.'
  const chosen = modes.map(({ name, description }) => `- ${name === mode ? `**${name}** (now)` : name}: ${description}`)
  const listed = rules.map(({ action, text, source, idle }) => `- ${action} ${code(text)}, ${source}${idle === undefined ? '' : `; never holds: ${idle}`}`)
  return [...chosen, '', rules.length === 0 ? 'No rules beside the mode.' : 'Rules, in the order in which they are tried:', ...(listed.length > 0 ? ['', ...listed, '', UNDO] : [])].join('\n')
}

/** As CommonMark wants it: more backticks around than within, and blanks where it begins or ends with one. */
function code(text: string): string {
  const mark = '`'.repeat(1 + Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)))
  const inner = /^`|`$/.test(text) ? ` ${text} ` : text
  return `${mark}${inner}${mark}`
}
