/** The one-line form of a command that rules are matched against. */
import type { ShellWord, SimpleCommand } from './types.ts'

/** Where the system keeps its programs: `/bin/ls` is `ls`, `./ls` and `/tmp/ls` are not. */
const SYSTEM_DIRECTORIES: ReadonlySet<string> = new Set(['/bin', '/usr/bin', '/usr/local/bin', '/sbin', '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin'])

/**
 * The program that a command runs: its base name when it is searched for or lies in a system
 * directory, else the path as written. Undefined when there is none or it is not known.
 */
export function programName(command: SimpleCommand): string | undefined {
  const first = command.words[0]
  if (first === undefined || !first.known || first.tilde) return undefined
  const slash = first.text.lastIndexOf('/')
  return slash >= 0 && SYSTEM_DIRECTORIES.has(first.text.slice(0, slash)) ? first.text.slice(slash + 1) : first.text
}

/**
 * The words that a rule such as `bash(git diff *)` is matched against, joined by single blanks:
 * quotes and escapes gone, a system program by its base name, unknown words as written. A word
 * that holds a blank, a quote or nothing is put in single quotes, so that it stays one word.
 */
export function commandText(command: SimpleCommand): string {
  const program = programName(command)
  return command.words.map((word, index) => (index === 0 && program !== undefined ? quoted(program) : wordText(word))).join(' ')
}

function wordText(word: ShellWord): string {
  return word.known ? quoted(word.text) : word.source
}

function quoted(text: string): string {
  return text === '' || /[\s'"]/.test(text) ? `'${text.replaceAll("'", String.raw`'\''`)}'` : text
}
