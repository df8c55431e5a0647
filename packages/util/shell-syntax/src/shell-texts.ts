/** Finds the shell text that a command has a shell run: `bash -c`, `eval`, `trap`, here-documents. */
import { posix } from 'node:path'

import { programName } from './command-text.ts'
import type { Redirection, ShellWord, SimpleCommand } from './types.ts'

/** A text that a shell will run, or why it cannot be known. */
export type ShellText = { text: string; dialect: 'bash' | 'sh' } | { problem: string }

const BASH_LIKE: ReadonlyMap<string, 'bash' | 'sh'> = new Map<string, 'bash' | 'sh'>([
  ['bash', 'bash'],
  ['rbash', 'bash'],
  ['sh', 'sh'],
  ['dash', 'sh'],
  ['ash', 'sh'],
])
const OTHER_SHELLS: ReadonlySet<string> = new Set(['zsh', 'fish', 'ksh', 'mksh', 'csh', 'tcsh', 'pwsh', 'powershell', 'elvish', 'nu', 'xonsh'])

/** Whether the program is a shell, understood or not. */
export function isShell(program: string): boolean {
  return BASH_LIKE.has(program) || OTHER_SHELLS.has(program)
}

/** What the shell `program` with these arguments runs; undefined for a script file or nothing. */
export function shellText(program: string, command: SimpleCommand): ShellText | undefined {
  const args = command.words.slice(1)
  const only = args.length === 1 ? args[0] : undefined
  if (only?.known && /^--(?:version|help)$/.test(only.text)) return undefined
  const dialect = BASH_LIKE.get(program)
  const invocation = readInvocation(args)
  if (typeof invocation === 'string') return { problem: `cannot tell what ${program} runs: ${invocation}` }
  if (invocation.kind === 'file') return scriptText(invocation.file, program)
  if (dialect === undefined) return { problem: `${program} runs a text in a language of its own` }
  if (invocation.kind === 'text') return known(invocation.text, dialect, program)
  const input = command.redirections.findLast(isInput)
  return input?.operator.startsWith('<<') ? known(input.target, dialect, program) : { problem: `${program} runs what it reads from its input` }
}

/** Whether the redirection sets where the standard input comes from; the last one counts. */
export function isInput({ operator, fd }: Redirection): boolean {
  return fd === 0 || (fd === undefined && operator.startsWith('<'))
}

/** Whether a shell is given a known text, whose commands are then listed by themselves. */
export function runsKnownText(command: SimpleCommand): boolean {
  const program = programName(command)
  if (program === undefined || !isShell(program)) return false
  const text = shellText(program, command)
  return text !== undefined && 'text' in text
}

/** What `source` and `.` run: a file is not looked into; what comes through a pipe is no file. */
export function sourceText(command: SimpleCommand): ShellText | undefined {
  const file = command.words[1]
  return file === undefined ? undefined : scriptText(file, 'source')
}

/** Variables whose value a program has a shell run. */
const TEXT_VARIABLES: ReadonlySet<string> = new Set(
  'PAGER MANPAGER EDITOR VISUAL PROMPT_COMMAND GIT_EXTERNAL_DIFF GIT_PAGER GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_SSH_COMMAND GIT_ASKPASS GIT_PROXY_COMMAND'.split(' '),
)

/** What the programs that read these variables would run: `PAGER='rm x' git log`. */
export function variableTexts(command: SimpleCommand): { name: string; text: ShellText }[] {
  const exported = command.words.slice(1).flatMap((word) => {
    const match = /^([A-Z_]+)=(.*)$/s.exec(word.text)
    return match?.[1] === undefined || match[2] === undefined ? [] : [{ name: match[1], value: { ...word, text: match[2] } }]
  })
  const isExport = /^(?:export|declare|typeset|readonly)$/.test(programName(command) ?? '')
  const texts = [...command.assignments, ...(isExport ? exported : [])].filter(({ name, value }) => TEXT_VARIABLES.has(name) && value.known)
  return texts.map(({ name, value }) => ({ name, text: { text: value.text, dialect: 'sh' } }))
}

/** What `eval` runs. */
export function evalText(command: SimpleCommand): ShellText | undefined {
  const args = command.words.slice(command.words[1]?.text === '--' ? 2 : 1)
  return args.length === 0 ? undefined : joinedText(args, 'eval')
}

/** What `trap 'text' signals` would run. */
export function trapText(command: SimpleCommand): ShellText | undefined {
  const args = command.words.slice(1).filter((word) => word.text !== '--')
  const [first] = args
  if (args.length < 2 || first === undefined || (first.known && /^(?:-[lpP]?|)$/.test(first.text))) return undefined
  return known(first, 'bash', 'trap')
}

/** Words that a program joins with blanks and has a shell run. */
export function joinedText(words: readonly ShellWord[], program: string, dialect: 'bash' | 'sh' = 'bash'): ShellText {
  const unknown = words.find((word) => !word.known)
  if (unknown) return { problem: `${program} runs a text that is only known when it runs: ${unknown.source}` }
  return { text: words.map((word) => word.text).join(' '), dialect }
}

/** Whether a plain sh would read `text` otherwise than bash: `ls &>f rm x` is two commands there. */
export function isBashOnly(text: string): boolean {
  return /&>|\|&|<<<|[<>]\(|\$['"[]|\[\[|\(\(|!\(|=\(|\b(?:function|select|coproc)\b|\$\{\s/.test(text.replaceAll('$((', '$'))
}

function known(word: ShellWord, dialect: 'bash' | 'sh', program: string): ShellText {
  if (!word.known) return { problem: `${program} runs a text that is only known when it runs: ${word.source}` }
  return { text: word.text, dialect }
}

function scriptText(file: ShellWord, program: string): { problem: string } | undefined {
  const isPipe = /^\/(?:dev\/(?:stdin|fd\/)|proc\/(?:[^/]+\/(?:task\/[^/]+\/)?fd\/|$))/.test(posix.normalize(`${file.prefix}${file.known ? '' : file.text.slice(file.prefix.length).replaceAll(/[^/]/g, 'x')}`))
  return isPipe ? { problem: `${program} runs a text that is only known when it runs: ${file.source}` } : undefined
}

type Invocation = { kind: 'file'; file: ShellWord } | { kind: 'stdin' } | { kind: 'text'; text: ShellWord }

/** Named options with which a text means the same. */
const SHELL_OPTIONS: ReadonlySet<string> = new Set('errexit nounset pipefail xtrace verbose noglob noclobber allexport errtrace functrace noexec hashall nullglob globstar dotglob failglob nocaseglob nocasematch inherit_errexit lastpipe'.split(' '))

/** Reads a shell's own options; a string says which word is not understood. */
function readInvocation(args: readonly ShellWord[]): Invocation | string {
  let isText = false
  let isInput = false
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at]
    if (word === undefined) break
    if (!word.known) return word.prefix === '' || word.prefix.startsWith('-') || isText || word.several ? word.source : scriptOrInput(word, isInput)
    const { text } = word
    const isOption = /^[-+]./.test(text)
    if (text === '--' || text === '-' || !isOption) {
      const first = isOption || text === '-' ? args[at + 1] : word
      if (isText) return first === undefined ? text : { kind: 'text', text: first }
      return first === undefined ? { kind: 'stdin' } : scriptOrInput(first, isInput)
    }
    if (/^--(?:norc|noprofile|posix|login|verbose)$/.test(text)) continue
    // Not k, with which arguments such as LD_PRELOAD=x set variables.
    if (!/^[-+][abefhlmnprtuvxBCEHPTcsioO]+$/.test(text)) return text
    isText ||= text.startsWith('-') && text.includes('c')
    isInput ||= text.startsWith('-') && text.includes('s')
    for (const letter of text) {
      if (letter !== 'o' && letter !== 'O') continue
      at += 1
      if (!SHELL_OPTIONS.has(args[at]?.text ?? '')) return args[at]?.source ?? text
    }
  }
  return isText ? '-c' : { kind: 'stdin' }
}

function scriptOrInput(file: ShellWord, isInput: boolean): Invocation {
  return isInput ? { kind: 'stdin' } : { kind: 'file', file }
}
