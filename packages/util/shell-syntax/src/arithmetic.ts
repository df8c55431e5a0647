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
const OPAQUE = /`|\$\(|\$\{(?!\w+\})|\$[\d@*]/

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
