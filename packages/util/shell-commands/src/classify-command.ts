/** Judges one simple command by itself: what its program, arguments, variables and redirections do. */
import { isDangerousVariable, isShell, programName, runsKnownText, WRAPPERS } from '@deepseek-ai/dsh-shell-syntax'
import type { Redirection, ShellWord, SimpleCommand } from '@deepseek-ai/dsh-shell-syntax'

import { classifyAwk } from './awk-program.ts'
import { classifyFind } from './find-read.ts'
import { classifyGitRead } from './git-reads.ts'
import { writtenFiles } from './known-writes.ts'
import { lossAmong, lossOf } from './losses.ts'
import { classifyOptionRead } from './option-reads.ts'
import { isPlainRead } from './plain-reads.ts'
import { classifySed } from './sed-script.ts'
import { classifyBuiltin } from './shell-builtins.ts'
import type { Classification } from './types.ts'
import type { ArgumentRule } from './verdicts.ts'
import { destructive, harmless, hasLetter, hasLong, other, worse } from './verdicts.ts'

/** Files that may be written to without anything being kept. Other open files are written to under such a name, whatever they were opened for. */
const NOWHERE = /^\/dev\/(?:null|stdout|stderr|tty|fd\/[12])$/

/** Disks. */
const DEVICE = /^\/dev\/(?:sd|nvme|hd|vd|xvd|mmcblk|disk|mapper\/|dm-|loop)/

const RULES: ReadonlyMap<string, ArgumentRule> = new Map<string, ArgumentRule>([
  ['find', classifyFind],
  ['gfind', classifyFind],
  ['sed', classifySed],
  ['gsed', classifySed],
  ['awk', classifyAwk],
  ['gawk', classifyAwk],
  ['mawk', classifyAwk],
  ['nawk', classifyAwk],
  ['git', classifyGitRead],
  ['eval', () => harmless('what it runs is judged by itself')],
  ['trap', () => harmless('what it runs is judged by itself')],
  ['ssh', () => other('runs something on another machine')],
  ['chroot', () => other('runs something in another root')],
  ['busybox', () => other('has programs of its own under known names')],
  ['toybox', () => other('has programs of its own under known names')],
  ['flock', () => other('makes a lock file')],
  ['coproc', () => other('is not a command of its own')],
  ['time', (args) => (hasLetter(args, 'oa') || hasLong(args, 'output') ? other('writes the times to a file') : harmless('only measures'))],
])

/**
 * What the command does by itself. What it has others run (`env`, `xargs`, `find -exec`, `bash -c`)
 * is not part of it: `parseShellLine` lists that as commands of their own. A program that is not
 * known, or not known to only read, is `other`.
 */
export function classifyCommand(command: SimpleCommand): Classification {
  let result = classifyProgram(command)
  const splitsOnly = /^(?:read|mapfile|readarray)$/.test(programName(command) ?? '')
  for (const { name } of command.assignments) {
    if (isDangerousVariable(name) && !(name === 'IFS' && splitsOnly)) result = worse(result, other(`sets ${name}, which changes what programs run`))
  }
  for (const redirection of command.redirections) result = worse(result, classifyRedirection(redirection))
  return result
}

function classifyProgram(command: SimpleCommand): Classification {
  const [first, ...args] = command.words
  if (first === undefined) return harmless('runs no program')
  const program = programName(command)
  const loss = lossOf(command)
  const judged = loss === undefined ? classifyArguments(program, args, command) : destructive(loss)
  if (judged.class === 'harmless' || program === undefined) return judged
  const files = writtenFiles(program, args)
  return withFiles(files.some(({ text }) => DEVICE.test(text)) ? worse(judged, destructive('overwrites a device')) : judged, files)
}

function classifyArguments(program: string | undefined, args: readonly ShellWord[], command: SimpleCommand): Classification {
  if (program === undefined) return other('runs a program that is only known when it runs, or one that the line defines')
  if (program.includes('/')) return unlessLoss(command, other('runs a program by its path'))
  const rule = RULES.get(program)
  if (rule) return rule(args)
  if (isPlainRead(program)) return harmless('only reads')
  const read = classifyBuiltin(program, args) ?? classifyOptionRead(program, args)
  if (read) return read
  if (isShell(program)) return runsKnownText(command) ? harmless('what it runs is judged by itself') : other('runs a script')
  if (WRAPPERS.has(program)) return harmless('what it runs is judged by itself')
  return unlessLoss(command, other('is not one of the commands that are known to only read'))
}

/** Nothing is known of the program, so that any of its arguments may be a command. */
function unlessLoss({ words }: SimpleCommand, judged: Classification): Classification {
  const loss = lossAmong(words)
  return loss === undefined ? judged : destructive(loss)
}

function withFiles(judged: Classification, files: readonly ShellWord[]): Classification {
  const writes = files.filter((word) => word.known && !NOWHERE.test(word.text)).map((word) => word.text)
  const found: Classification = writes.length > 0 ? { ...judged, writes } : judged
  const merged = worse(found, { class: judged.class, why: judged.why, ...(judged.writes ? { writes: judged.writes } : {}) })
  return judged.writesUnknown || files.some((word) => !word.known) ? { ...merged, writesUnknown: true } : merged
}

function classifyRedirection({ target, writes, operator }: Redirection): Classification {
  const isFile = !operator.startsWith('<<')
  if (isFile && /^\/dev\/(?:tcp|udp)(?:\/|$)/.test(target.prefix)) return other('opens a network connection')
  if (!writes) return harmless('only reads')
  if (!target.known) return { ...other('writes to a file that is only known when it runs'), writesUnknown: true }
  if (NOWHERE.test(target.text)) return harmless('keeps nothing')
  const judged = DEVICE.test(target.text) ? destructive('overwrites a device') : other('writes to a file')
  return { ...judged, writes: [target.text] }
}
