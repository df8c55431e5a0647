/** Sets text apart in an answer. Pure. */

import { clipMiddle } from '@deepseek-ai/dsh-text'

/** Longer text is cut in the middle: the tool's own result holds all of it. */
const LONGEST = 6_000

/** A fenced block whose fence is longer than any in the text. */
export function fenced(text: string, language = ''): string {
  const shown = clipMiddle(text.trimEnd(), LONGEST, cut => `\n… ${cut} characters left out …\n`)
  const longest = Math.max(2, ...[...shown.matchAll(/`{3,}/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${shown}\n${fence}`
}

/** A code span that may hold back ticks; line breaks become spaces and long text is cut. */
export function code(text: string): string {
  const line = shorten(text, 200)
  return line.includes('`') ? `\`\` ${line} \`\`` : `\`${line}\``
}

/** The text on one line, in at most `most` characters. */
export function shorten(text: string, most: number): string {
  return clipMiddle(text.replace(/\s+/g, ' ').trim(), most, () => ' … ')
}
