/** Takes a command line apart for judging: its commands, what has them run, and the directories they may run in. */

import { resolve } from 'node:path'
import type { Classification } from '@deepseek-ai/dsh-shell-commands'
import type { ShellWord, SimpleCommand } from '@deepseek-ai/dsh-shell-syntax'

/** One simple command of a line. */
export interface LineCommand {
  command: SimpleCommand
  /** By itself: where its output goes is judged apart. */
  known: Classification
  program: string | undefined
  /** What rules are matched against: the program by its bare name, the rest as far as it is known. */
  words: readonly string[]
  /** Sets a variable that can change what the command runs. */
  isBent: boolean
  /** What has it run, where that is another command: `xargs`, `sudo`, `bash -c`. */
  wrapper: LineCommand | undefined
  /** Absolute: every directory in which it may run. */
  directories: readonly string[]
  /** Whether it may run in others that are not known. */
  strays: boolean
}

export interface TakenApart {
  commands: readonly LineCommand[]
  /** Why the whole cannot be judged by its parts. */
  problems: readonly string[]
}

/** Ways to be run that are parts of the line itself. */
const STRUCTURE = /^(?:substitution|group|function .*)$/

/** More directories than this are as good as any. */
const MOST_DIRECTORIES = 16

export interface Start {
  cwd: string
  home: string
  dialect: 'bash' | 'sh'
}

/** Never rejects for what is wrong with the line. Loads the parser when it is first used. */
export async function takeApart(line: string, start: Start): Promise<TakenApart> {
  const [syntax, { classifyWithTexts }] = await Promise.all([import('@deepseek-ai/dsh-shell-syntax'), import('@deepseek-ai/dsh-shell-commands')])
  const { commands, problems } = await syntax.parseShellLine(line, { dialect: start.dialect })
  const found: LineCommand[] = []
  let where = { directories: [start.cwd] as readonly string[], strays: false }
  for (const command of commands) {
    const program = syntax.programName(command)
    const each: LineCommand = {
      command,
      known: await classifyWithTexts({ ...command, redirections: command.redirections.filter(({ writes }) => !writes) }),
      program,
      words: command.words.map((word, at) => (at === 0 && program !== undefined ? program : word.known ? word.text : word.source)),
      isBent: command.assignments.some(({ name }) => syntax.isDangerousVariable(name)),
      wrapper: wrapperOf(command, found),
      ...where,
    }
    found.push(each)
    if (program === 'cd' || program === 'pushd' || program === 'popd') where = moved(where, command.words[program === 'cd' && command.words[1]?.text === '--' ? 2 : 1], { program, home: start.home })
  }
  return { commands: found, problems }
}

/** The parser lists a wrapper before what it runs. */
function wrapperOf({ via }: SimpleCommand, before: readonly LineCommand[]): LineCommand | undefined {
  const last = via.at(-1)
  if (last === undefined) return undefined
  const outer = via.slice(0, -1)
  const parent = before.findLast(({ command }) => command.via.length === outer.length && outer.every((name, at) => command.via[at] === name))
  return STRUCTURE.test(last) ? parentInStructure(outer, before) : parent
}

/** A substitution in what a wrapper runs is run by the wrapper. */
function parentInStructure(via: readonly string[], before: readonly LineCommand[]): LineCommand | undefined {
  const at = via.findLastIndex(name => !STRUCTURE.test(name))
  if (at < 0) return undefined
  return before.findLast(({ command }) => command.via.length === at && via.slice(0, at).every((name, index) => command.via[index] === name))
}

interface Where {
  directories: readonly string[]
  strays: boolean
}

/** A change of directory may happen or not: both count from then on. */
function moved({ directories, strays }: Where, target: ShellWord | undefined, { program, home }: { program: string; home: string }): Where {
  const to = target === undefined ? (program === 'cd' ? home : undefined) : target.known && !/^[-+]/.test(target.text) ? expand(target, home) : undefined
  if (to === undefined) return { directories, strays: true }
  const all = [...new Set([...directories, ...directories.map(each => resolve(each, to))])]
  return all.length > MOST_DIRECTORIES ? { directories, strays: true } : { directories: all, strays }
}

/** A word as a path; of a pattern, the pattern itself. */
export function expand({ text, tilde }: Pick<ShellWord, 'text' | 'tilde'>, home: string): string {
  return tilde && (text === '~' || text.startsWith('~/')) ? `${home}${text.slice(1)}` : text
}
