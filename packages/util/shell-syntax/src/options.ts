/** Reads the options of a program against a list of those that are understood. */
import type { ShellWord } from './types.ts'
import { mayBeOption } from './words.ts'

/** The options of one program that are understood; everything else is not. */
export interface OptionSpec {
  /** Letters without a value. */
  flags?: string
  /** Letters with a value, attached or in the next word. */
  values?: string
  /** Letters whose value, if any, is attached (`-i.bak`). */
  optional?: string
  /** Long names without a value, or with an optional `=value`. */
  long?: readonly string[]
  /** Long names with a value, after `=` or in the next word. */
  longValues?: readonly string[]
  /** Whether `-5` is understood. */
  digits?: boolean
  /** Whether options end at the first operand, as for programs that run another one. */
  stopAtOperand?: boolean
}

/** One option as it was found; the name has no dashes. */
export interface FoundOption {
  name: string
  value?: ShellWord
}

/** What the words of a command mean under a spec. */
export interface ReadOptions {
  options: readonly FoundOption[]
  operands: readonly ShellWord[]
  /** The first word that is not understood, or that may be an option. */
  unsure?: string
}

/** Where the reading stands. */
interface Reading {
  words: readonly ShellWord[]
  spec: OptionSpec
  at: number
  options: FoundOption[]
  operands: ShellWord[]
}

/** Reads `words` (without the program). Stops at the first word it is unsure of and says so. */
export function readOptions(words: readonly ShellWord[], spec: OptionSpec): ReadOptions {
  const reading: Reading = { words, spec, at: 0, options: [], operands: [] }
  const { options, operands } = reading
  while (reading.at < words.length) {
    const word = words[reading.at]
    if (word === undefined) break
    reading.at += 1
    if (word.known && word.text === '--') {
      operands.push(...words.slice(reading.at))
      break
    }
    if (!readOne(reading, word)) return { options, operands, unsure: word.source }
    if (spec.stopAtOperand && operands.length > 0) {
      operands.push(...words.slice(reading.at))
      break
    }
  }
  return { options, operands }
}

function readOne(reading: Reading, word: ShellWord): boolean {
  if (!mayBeOption(word) || (word.known && word.text === '-')) {
    reading.operands.push(word)
    return true
  }
  if (reading.spec.digits && word.known && /^-\d+$/.test(word.text)) {
    reading.options.push({ name: word.text.slice(1) })
    return true
  }
  if (word.several) return false
  return word.prefix.startsWith('--') ? readLong(reading, word) : readCluster(reading, word)
}

function readLong(reading: Reading, word: ShellWord): boolean {
  const equals = word.prefix.indexOf('=')
  if (equals < 0 && !word.known) return false
  const name = word.prefix.slice(2, equals < 0 ? undefined : equals)
  const { spec, options } = reading
  if (equals > 0 && (spec.long?.includes(name) || spec.longValues?.includes(name))) {
    options.push({ name, value: cut(word, equals + 1) })
    return true
  }
  if (spec.long?.includes(name)) {
    options.push({ name })
    return true
  }
  return Boolean(spec.longValues?.includes(name)) && takeValue(reading, name)
}

function readCluster(reading: Reading, word: ShellWord): boolean {
  const { spec, options } = reading
  for (let at = 1; at < word.prefix.length; at += 1) {
    const letter = word.prefix.charAt(at)
    const rest = at + 1 < word.text.length
    if (spec.flags?.includes(letter)) options.push({ name: letter })
    else if (spec.values?.includes(letter)) {
      if (!rest) return takeValue(reading, letter)
      options.push({ name: letter, value: cut(word, at + 1) })
      return true
    } else if (spec.optional?.includes(letter)) {
      options.push(rest ? { name: letter, value: cut(word, at + 1) } : { name: letter })
      return true
    } else return false
  }
  return word.known
}

function takeValue(reading: Reading, name: string): boolean {
  const value = reading.words[reading.at]
  if (value === undefined || value.several) return false
  reading.at += 1
  reading.options.push({ name, value })
  return true
}

function cut(word: ShellWord, from: number): ShellWord {
  return { ...word, text: word.text.slice(from), prefix: word.prefix.slice(from) }
}
