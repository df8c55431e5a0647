/** Renders an explanation as text for a person. */

import { clipEnd, stripControls } from '@deepseek-ai/dsh-text'
import type { Explained, ExplainedRow } from './explain.ts'

/** Longer values are cut: a prompt is a value, too. */
const MOST_LENGTH = 120

/** Lines end with LF; no colours, and no control characters out of values. */
export function renderExplained(explained: Explained): string {
  const lines: string[] = []
  if (explained.model !== undefined) lines.push(`model ${explained.model.value}  (${explained.model.from})`, '')
  if (explained.project !== undefined) lines.push(explained.project, '')
  for (const row of explained.rows) lines.push(...renderRow(row), '')
  if (explained.events.length > 0) {
    lines.push('listeners, in the order in which they are called')
    for (const { name, listeners } of explained.events) lines.push(`  ${name}: ${listeners.map(({ row, plugin }) => row ?? plugin).join(', ')}`)
    lines.push('')
  }
  for (const [title, items] of Object.entries(explained.contributions)) {
    lines.push(title, ...items.map(item => `  ${typeof item === 'string' ? item : JSON.stringify(item)}`), '')
  }
  lines.push(...renderSettings('held back: not applied until this project is trusted (dsh trust)', explained.untrusted))
  lines.push(...renderSettings('trusted: applied because you trust this project', explained.trusted))
  return stripControls(lines.join('\n'))
}

function renderSettings(title: string, settings: Explained['untrusted']): string[] {
  return settings.length === 0 ? [] : [title, ...settings.map(({ setting, position }) => `  ${setting}  (${position})`), '']
}

function renderRow(row: ExplainedRow): string[] {
  const label = row.id === row.name ? row.id : `${row.id}  ${row.name}`
  const lines = [`${row.state.padEnd(8)} ${label}${row.required ? '  required' : ''}  (${row.origin === row.position ? row.origin : `${row.origin}, ${row.position}`})`]
  if (row.problem !== undefined) lines.push(`    ${row.problem}`)
  for (const { path, value, from, env } of row.config) {
    lines.push(`    ${path} = ${show(value)}  (${from}${env === undefined ? '' : `, ${env}`})`)
  }
  if (row.provides.length > 0) lines.push(`    provides ${row.provides.join(', ')}`)
  if (row.requires.length > 0) lines.push(`    requires ${row.requires.map(({ service, met }) => (met ? service : `${service} (not there)`)).join(', ')}`)
  for (const { name, state, detail } of row.nested) lines.push(`    inside: ${name} ${state}${detail === '' ? '' : `: ${detail}`}`)
  return lines
}

/** Plain text as it stands; anything that would break the line, or look like something else, as JSON. */
function show(value: unknown): string {
  const plain = typeof value === 'string' && /^[\p{L}\p{N}\p{P}\p{S} ]+$/u.test(value)
  const text = plain ? value : JSON.stringify(value)
  return text.length <= MOST_LENGTH ? text : `${clipEnd(text, MOST_LENGTH)}… (${text.length} characters)`
}
