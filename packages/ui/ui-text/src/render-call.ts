/** One line for a tool call, one for its result. Pure; safe to print. */

import { textOf } from '@deepseek-ai/dsh-llm'
import type { SessionEventMap } from '@deepseek-ai/dsh-session'
import { clipEnd, plural, stripControls } from '@deepseek-ai/dsh-text'

/** Room for the arguments on one line. */
const MOST = 100

export function renderCall({ name, arguments: raw }: SessionEventMap['tool/call']): string {
  return `● ${oneLine(name)} ${oneLine(summarize(raw))}`.trimEnd()
}

/** The first line of the result and how much more there is. */
export function renderResult({ content, isError }: SessionEventMap['tool/result']): string {
  const lines = stripControls(textOf(content)).split('\n').filter(line => line.trim() !== '')
  const rest = lines.length > 1 ? ` (+${plural(lines.length - 1, 'line')})` : ''
  return `  ${isError ? '✗' : '└'} ${oneLine(lines[0] ?? '(nothing)')}${rest}`
}

/** The most telling argument alone where there is one, otherwise all of them. */
function summarize(raw: string): string {
  let args: unknown
  try {
    args = JSON.parse(raw)
  } catch (error) {
    if (error instanceof SyntaxError) return raw
    throw error
  }
  if (typeof args !== 'object' || args === null) return raw
  const { command, file_path: path, pattern, query, url } = args as Record<string, unknown>
  const telling = [command, path, pattern, query, url].find(value => typeof value === 'string')
  return typeof telling === 'string' ? telling : raw
}

function oneLine(text: string): string {
  const flat = stripControls(text).replace(/\s+/g, ' ').trim()
  return flat.length > MOST ? `${clipEnd(flat, MOST - 1)}…` : flat
}
