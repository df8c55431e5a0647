/** Judges `awk`: harmless when its program has no way to run a command or to write a file. */
import { readOptions } from '@deepseek-ai/dsh-shell-syntax'
import type { ShellWord } from '@deepseek-ai/dsh-shell-syntax'

import type { Classification } from './types.ts'
import { harmless, other } from './verdicts.ts'

/** What this `awk` (gawk, mawk, nawk) does. */
export function classifyAwk(args: readonly ShellWord[]): Classification {
  const { operands, unsure } = readOptions(args, { values: 'Fv', stopAtOperand: true })
  if (unsure !== undefined) return other(`has an option that is not known to only read: ${unsure}`)
  const [program] = operands
  if (program === undefined || !program.known) return other('runs a program text that is only known when it runs')
  return isHarmlessProgram(program.text) ? harmless('only prints selected text') : other('runs a program that may write files or run commands')
}

/**
 * Whether the text holds nothing that leads out: no `system`, `getline`, pipe, indirect call or
 * inclusion. `>` may only compare, which is sure before the first brace: there are no statements.
 */
export function isHarmlessProgram(text: string): boolean {
  if (/system|getline|@|close|fflush|extension/.test(text)) return false
  if (/\|/.test(text.replaceAll('||', ''))) return false
  const brace = text.indexOf('{')
  return brace < 0 || !text.slice(brace).includes('>')
}
