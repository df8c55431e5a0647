/** One line for a tool call, one for its result. Pure; safe to print. */

import { textOf } from '@deepseek-ai/dsh-llm'
import type { SessionEventMap } from '@deepseek-ai/dsh-session'
import { clipEnd, plural, stripControls } from '@deepseek-ai/dsh-text'
import { tellingArgument } from '@deepseek-ai/dsh-tools'

/** Room for the arguments on one line. */
const MOST = 100

export function renderCall({ name, arguments: raw }: SessionEventMap['tool/call']): string {
  return `● ${oneLine(name)} ${oneLine(tellingArgument(raw))}`.trimEnd()
}

/** The first line of the result and how much more there is. */
export function renderResult({ content, isError }: SessionEventMap['tool/result']): string {
  const lines = stripControls(textOf(content)).split('\n').filter(line => line.trim() !== '')
  const rest = lines.length > 1 ? ` (+${plural(lines.length - 1, 'line')})` : ''
  return `  ${isError ? '✗' : '└'} ${oneLine(lines[0] ?? '(nothing)')}${rest}`
}

function oneLine(text: string): string {
  const flat = stripControls(text).replace(/\s+/g, ' ').trim()
  return flat.length > MOST ? `${clipEnd(flat, MOST - 1)}…` : flat
}
