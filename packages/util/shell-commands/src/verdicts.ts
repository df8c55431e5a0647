/** The few shapes that every rule about a program answers with. */
import type { ShellWord } from '@deepseek-ai/dsh-shell-syntax'

import type { Classification, CommandClass } from './types.ts'

/** Judges a command by its arguments (without the program). */
export type ArgumentRule = (args: readonly ShellWord[]) => Classification

const ORDER: readonly CommandClass[] = ['harmless', 'other', 'destructive']

/** A command that only reads. */
export function harmless(why: string): Classification {
  return { class: 'harmless', why }
}

/** A command that does more than read, or may. */
export function other(why: string): Classification {
  return { class: 'other', why }
}

/** A command that may lose work for good. */
export function destructive(why: string): Classification {
  return { class: 'destructive', why }
}

/** The worse of two judgements, with the files of both. */
export function worse(first: Classification, second: Classification): Classification {
  const [worst, rest] = ORDER.indexOf(second.class) > ORDER.indexOf(first.class) ? [second, first] : [first, second]
  const writes = [...new Set([...(worst.writes ?? []), ...(rest.writes ?? [])])]
  const merged: Classification = { class: worst.class, why: worst.why }
  if (writes.length > 0) merged.writes = writes
  if (first.writesUnknown || second.writesUnknown) merged.writesUnknown = true
  return merged
}

/** Whether a known argument before `--` is this long option, abbreviated or with a value. */
export function hasLong(args: readonly ShellWord[], name: string, shortest = 3): boolean {
  return optionWords(args).some((word) => {
    const given = /^--([^=]+)/.exec(word.prefix)?.[1]
    return given !== undefined && (given === name || (given.length >= shortest && name.startsWith(given)))
  })
}

/** The same for what must not be missed: any abbreviation counts, and so does `--name-with-more`. */
export function mayBeLong(args: readonly ShellWord[], ...names: readonly string[]): boolean {
  return names.some((name) => hasLong(args, name, 1)) || optionWords(args).some((word) => names.some((name) => word.prefix.startsWith(`--${name}-`)))
}

/** Whether a known cluster of letters before `--` holds one of `letters`. */
export function hasLetter(args: readonly ShellWord[], letters: string): boolean {
  return optionWords(args).some((word) => /^-[^-]/.test(word.prefix) && [...letters].some((letter) => word.prefix.includes(letter, 1)))
}

/** The arguments before `--`. */
export function optionWords(args: readonly ShellWord[]): readonly ShellWord[] {
  const end = args.findIndex((word) => word.known && word.text === '--')
  return end < 0 ? args : args.slice(0, end)
}

/** The arguments that are no options. */
export function operandWords(args: readonly ShellWord[]): readonly ShellWord[] {
  const end = args.findIndex((word) => word.known && word.text === '--')
  const before = optionWords(args).filter((word) => !word.prefix.startsWith('-') || word.text === '-')
  return end < 0 ? before : [...before, ...args.slice(end + 1)]
}
