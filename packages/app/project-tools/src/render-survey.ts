/** Renders what a project would do if it were trusted. Pure. */

import { maskText } from '@deepseek-ai/dsh-composition'
import { clipEnd, plural, stripControls } from '@deepseek-ai/dsh-text'
import type { ProjectState } from './judge-project.ts'
import { describeChanges } from './judge-project.ts'
import type { Survey } from './survey-project.ts'

const MOST_LENGTH = 160

/** More files than this are counted. */
const MOST_NAMED = 40

/** Ends with a line feed. */
export function renderSurvey(project: string, survey: Survey, state: ProjectState): string {
  const { findings, plugins, digests } = survey
  const lines = [`${project}${state.kind === 'changed' ? ` changed since you trusted it: ${describeChanges(state.changes, MOST_NAMED)}` : ''}`]
  if (findings.length > 0) lines.push('settings that run, reach or permit something:')
  for (const { setting, file, line, text } of findings) lines.push(`  ${setting}  (${file}:${line})`, `      ${maskText(clipEnd(text, MOST_LENGTH))}`)
  if (plugins.length > 0) lines.push('plugins, which run with all your rights:')
  for (const { id, name, isFile } of plugins) lines.push(`  ${id}  ${name}${isFile ? '' : '  (a package: trusted by its name, whatever it holds)'}`)
  const files = Object.entries(digests)
  lines.push(`trusted with their content of now, ${plural(files.length, 'file')}:`)
  for (const [name, digest] of files.slice(0, MOST_NAMED)) lines.push(`  ${name}${digest === null ? '  (not there)' : ''}`)
  if (files.length > MOST_NAMED) lines.push(`  and ${files.length - MOST_NAMED} more`)
  return lines.map(line => `${stripControls(line).replaceAll('\n', ' ')}\n`).join('')
}
