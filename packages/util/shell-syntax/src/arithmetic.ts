/**
 * Finds where the value of a variable would be evaluated as arithmetic. bash evaluates the
 * subscript `a[$(cmd)]` inside such a value, so `x='a[$(touch f)]'; echo $((x))` runs `touch`.
 */
import type { ShellWord } from './types.ts'

/** One text that bash evaluates as arithmetic. */
export interface ArithmeticUse {
  /** Variables whose values are evaluated. */
  names: readonly string[]
  /** Whether it holds something other than numbers, operators and plain variables. */
  opaque: boolean
  source: string
}

const NUMERIC_EXPANSION = /\$\{#\w*(?:\[[@*]\])?\}|\$[?$!#]/g
const OPAQUE = /`|\$\(|\$\{(?![A-Za-z_]\w*\})|\$[\d@*]/

/** Variables that bash keeps as integers: what is assigned to them is evaluated. */
const INTEGERS: ReadonlySet<string> = new Set('RANDOM SRANDOM SECONDS LINENO HISTCMD OPTIND BASHPID BASH_SUBSHELL BASH_MONOSECONDS EPOCHSECONDS COMP_CWORD COMP_POINT COMP_KEY COMP_TYPE FUNCNEST'.split(' '))

/** Variables that bash itself fills with text from elsewhere. */
const FILLED: ReadonlySet<string> = new Set('_ REPLY OPTARG BASH_REMATCH MAPFILE COPROC DIRSTACK PWD OLDPWD BASH_ARGV BASH_ARGV0 BASH_COMMAND BASH_EXECUTION_STRING READLINE_LINE COMP_LINE COMP_WORDS'.split(' '))

/** Whether assigning to the variable evaluates the value. */
export function isIntegerVariable(name: string): boolean {
  return INTEGERS.has(name)
}

/** Whether bash puts text into the variable without an assignment. */
export function isFilledByShell(name: string): boolean {
  return FILLED.has(name)
}

/** What evaluating `text` depends on; undefined when only on numbers. */
export function readArithmetic(text: string): ArithmeticUse | undefined {
  const rest = text.replaceAll(NUMERIC_EXPANSION, '0')
  const subscript = rest.indexOf('[')
  const opaque = OPAQUE.test(rest) || (subscript >= 0 && rest.includes('$', subscript))
  const names = [...rest.replaceAll(/\b\d\w*(?:#\w+)?/g, '').matchAll(/[A-Za-z_]\w*/g)].map(([name]) => name)
  return opaque || names.length > 0 ? { names, opaque, source: text } : undefined
}

/** Whether a value is surely a number (or empty), so that evaluating it is harmless. */
export function isNumeric(word: ShellWord): boolean {
  if (word.known) return /^-?\d*$/.test(word.text)
  return /^"?\$\(\([^()`]*\)\)"?$/.test(word.source) || /^\{-?\d+\.\.-?\d+(?:\.\.-?\d+)?\}$/.test(word.source) || /^"?\$(?:\{#\w*\}|[#?])"?$/.test(word.source)
}

/** Whether a text could do harm if it were evaluated: a subscript with a substitution inside. */
export function hidesSubstitution(text: string): boolean {
  const subscript = text.indexOf('[')
  return subscript >= 0 && /\$\(|`|\$\{/.test(text.slice(subscript))
}

/** Whether a value is the output of a program that prints only numbers, if it is the real one. */
export function isCounted(word: ShellWord): boolean {
  return /^"?\$\((?:seq(?: -?\d+)+|nproc|date \+%s|wc -[lcwm] ?< ?[\w./-]+)\)"?$/.test(word.source)
}
