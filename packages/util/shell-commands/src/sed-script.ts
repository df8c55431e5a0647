/**
 * Judges `sed`. A script is harmless when it is made of commands that only edit what is printed;
 * `e` and `s///e` run programs, `w`, `W` and `s///w` write files, `-i` rewrites its operands.
 */
import { readOptions } from '@deepseek-ai/dsh-shell-syntax'
import type { ShellWord } from '@deepseek-ai/dsh-shell-syntax'

import type { Classification } from './types.ts'
import { harmless, hasLetter, hasLong, other } from './verdicts.ts'

const OPTIONS = {
  flags: 'nErsuz',
  values: 'e',
  long: ['quiet', 'silent', 'regexp-extended', 'null-data', 'separate', 'unbuffered', 'posix', 'debug', 'sandbox'],
  longValues: ['expression'],
}

/** A bracket expression whose end every sed finds at the same place. */
const BRACKET = /\[\^?(?:\[:\w+:\]|\\\w|[^\]\\[\n])+\]/
/** An address: a line number, `$`, `/regex/` or a step. */
const ADDRESS = /(?:\d+(?:~\d+)?|\$|\/(?:[^/\\\n[]|\\.|\[\^?(?:\[:\w+:\]|\\\w|[^\]\\[\n/])+\])*\/[IM]*|[+~]\d+)/
const SUBSTITUTION_FLAGS = /[gpiIM\d]*/

/** What this `sed` does. */
export function classifySed(args: readonly ShellWord[]): Classification {
  if (hasLetter(args, 'i') || hasLong(args, 'in-place', 2)) return rewrites(args)
  const { options, operands, unsure } = readOptions(args, OPTIONS)
  if (unsure !== undefined) return other(`has an option that is not known to only read: ${unsure}`)
  const given = options.filter((option) => option.name === 'e' || option.name === 'expression').map((option) => option.value)
  const scripts = given.length > 0 ? given : [operands[0]]
  for (const script of scripts) {
    if (script === undefined || !script.known) return other('runs a script that is only known when it runs')
    if (!isHarmlessScript(script.text)) return other('runs a script that may write files or run programs')
  }
  return harmless('only prints edited text')
}

/** Whether every command of the script only edits what is printed. */
export function isHarmlessScript(script: string): boolean {
  let at = 0
  while (at < script.length) {
    const next = skipCommand(script, skipBlanks(script, at))
    if (next === undefined) return false
    at = next
  }
  return true
}

/** The place after one command and its end; undefined when it is not surely harmless. */
function skipCommand(script: string, start: number): number | undefined {
  let at = skipBlanks(script, skipAddresses(script, start))
  if (script[at] === '!') at = skipBlanks(script, at + 1)
  const command = script[at]
  if (command === undefined) return at === start ? at : undefined
  if (command === '{') return at + 1
  if (command === '}') return endOfCommand(script, at + 1)
  if ('pPdDnNgGhHxz='.includes(command)) return endOfCommand(script, at + 1)
  if (command === 'q' || command === 'Q' || command === 'l') return endOfCommand(script, skipDigits(script, at + 1))
  if (command !== 's' && command !== 'y') return undefined
  const closed = skipDelimited(script, at + 1)
  if (closed === undefined) return undefined
  if (command === 'y') return endOfCommand(script, closed)
  return endOfCommand(script, closed + matchAt(SUBSTITUTION_FLAGS, script, closed).length)
}

function skipAddresses(script: string, start: number): number {
  const first = skipAddress(script, start)
  if (first === start) return start
  const comma = skipBlanks(script, first)
  return script[comma] === ',' ? skipAddress(script, skipBlanks(script, comma + 1)) : first
}

function skipAddress(script: string, start: number): number {
  return start + matchAt(ADDRESS, script, start).length
}

function matchAt(expression: RegExp, text: string, at: number): string {
  const pattern = new RegExp(expression.source, 'y')
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

/** Past both delimited parts of `s` or `y`: GNU sed ends one at a delimiter within brackets, BSD sed does not, so such are refused. */
function skipDelimited(script: string, start: number): number | undefined {
  const delimiter = script[start]
  if (delimiter === undefined || /[\s\\;\w]/.test(delimiter)) return undefined
  let left = 2
  let at = start + 1
  while (at < script.length && left > 0) {
    const bracket = left === 2 && script[at] === '[' ? matchAt(BRACKET, script, at) : undefined
    if (bracket === '' || bracket?.includes(delimiter)) return undefined
    if (script[at] === '\\') at += 1
    else if (script[at] === delimiter) left -= 1
    at += bracket?.length ?? 1
  }
  return left === 0 ? at : undefined
}

function skipBlanks(script: string, start: number): number {
  let at = start
  while (/[\s;]/.test(script[at] ?? 'x')) at += 1
  return at
}

function skipDigits(script: string, start: number): number {
  let at = start
  while (/[\d ]/.test(script[at] ?? 'x')) at += 1
  return at
}

/** The place of the next command; undefined when something else follows. */
function endOfCommand(script: string, start: number): number | undefined {
  let at = start
  while (script[at] === ' ' || script[at] === '\t') at += 1
  const next = script[at]
  return next === undefined || next === ';' || next === '\n' || next === '}' ? at : undefined
}

/** With `-i`: the operands after the script are rewritten. An empty one is the suffix that BSD sed wants. */
function rewrites(args: readonly ShellWord[]): Classification {
  const { options, operands, unsure } = readOptions(args, { flags: 'nErsuzbl', optional: 'i', values: 'ef', long: [...OPTIONS.long, 'in-place', 'follow-symlinks'], longValues: ['expression', 'file'] })
  const hasScript = options.some(({ name }) => /^(?:e|f|expression|file)$/.test(name))
  const files = operands.filter((word) => !word.known || word.text !== '').slice(hasScript ? 0 : 1)
  const judged: Classification = { ...other('rewrites files in place'), writes: files.filter((word) => word.known).map((word) => word.text) }
  return unsure !== undefined || files.some((word) => !word.known) ? { ...judged, writesUnknown: true } : judged
}
