/** Shows what a call would change in a file, line by line. */

import type { FileDiff } from '@deepseek-ai/dsh-tools'

/** Longer searches for what stayed are given up; then all old lines stand before all new ones. */
const TIMEOUT_MS = 200
const MOST_EDITS = 5000

/** The path, then each line with `-`, `+` or a blank before it. Nothing is left out, and nothing is made safe to print. */
export async function renderDiff({ path, oldText, newText }: FileDiff): Promise<string> {
  if (oldText === null) return [`${path} (the whole content)`, ...mark('+', newText)].join('\n')
  const { diffLines } = await import('diff')
  const parts = diffLines(oldText, newText, { timeout: TIMEOUT_MS, maxEditLength: MOST_EDITS }) ?? [
    { value: oldText, added: false, removed: true },
    { value: newText, added: true, removed: false },
  ]
  return [path, ...parts.flatMap(({ value, added, removed }) => mark(added ? '+' : removed ? '-' : ' ', value))].join('\n')
}

function mark(sign: string, text: string): string[] {
  if (text === '') return []
  const lines = text.split('\n')
  const isEnded = lines.at(-1) === ''
  return (isEnded ? lines.slice(0, -1) : lines).map(line => `${sign} ${line}`)
}
