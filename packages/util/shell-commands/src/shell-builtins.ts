/** Judges the builtins of bash that only change the shell which runs the line, and that shell ends with it. */
import { isDangerousVariable, readOptions } from '@deepseek-ai/dsh-shell-syntax'
import type { OptionSpec, ShellWord } from '@deepseek-ai/dsh-shell-syntax'

import type { Classification } from './types.ts'
import type { ArgumentRule } from './verdicts.ts'
import { destructive, harmless, other } from './verdicts.ts'

const SHOPT_NAMES: ReadonlySet<string> = new Set(['nullglob', 'globstar', 'dotglob', 'failglob', 'nocaseglob', 'nocasematch', 'inherit_errexit', 'lastpipe', 'pipefail'])
const SET_NAMES: ReadonlySet<string> = new Set(['errexit', 'nounset', 'pipefail', 'xtrace', 'noglob', 'noclobber', 'verbose', 'allexport', 'errtrace', 'functrace', 'noexec'])
const UNARY_TESTS: ReadonlySet<string> = new Set('-a -b -c -d -e -f -g -h -k -p -r -s -t -u -w -x -G -L -N -O -S -z -n -o'.split(' '))
const BINARY_TESTS: ReadonlySet<string> = new Set('= == != < > -eq -ne -lt -le -gt -ge -nt -ot -ef'.split(' '))

const RULES: ReadonlyMap<string, ArgumentRule> = new Map<string, ArgumentRule>([
  ['test', classifyTest],
  ['[', classifyTest],
  ['printf', classifyPrintf],
  ['read', naming({ flags: 'rse', values: 'dinNptua' })],
  ['mapfile', naming({ flags: 't', values: 'dnOsu' })],
  ['readarray', naming({ flags: 't', values: 'dnOsu' })],
  ['unset', naming({ flags: 'vfn' })],
  ['export', classifyDeclare],
  ['declare', classifyDeclare],
  ['typeset', classifyDeclare],
  ['local', classifyDeclare],
  ['readonly', classifyDeclare],
  ['getopts', (args) => (args.every((word) => word.known) && args[1] && isSafeName(args[1].text) ? harmless('only reads its arguments') : other('sets a variable that is not known'))],
  ['set', classifySet],
  ['shopt', (args) => (args.every((word) => word.known && (/^-[supqo]+$/.test(word.text) || SHOPT_NAMES.has(word.text))) ? harmless('only changes how names are matched') : other('changes how the shell reads commands'))],
  ['wait', (args) => (args.every((word) => !/^-.*p/.test(word.prefix) && (word.known || !word.several || word.source === '$!')) ? harmless('only waits') : other('may set a variable'))],
  ['alias', (args) => (args.length === 0 ? harmless('only lists') : other('defines an alias'))],
  ['umask', (args) => (args.length === 0 ? harmless('only prints') : other('changes the rights of new files'))],
  ['ulimit', (args) => (args.length === 1 && args[0]?.text === '-a' ? harmless('only prints') : other('changes limits'))],
  ['jobs', (args) => (args.every((word) => word.known && /^(?:-[lnprs]+|%\S*|\d+)$/.test(word.text)) ? harmless('only lists') : other('may run a command with -x'))],
  ['kill', classifyKill],
])

/** The judgement of a builtin that this file knows; undefined of others. */
export function classifyBuiltin(program: string, args: readonly ShellWord[]): Classification | undefined {
  return RULES.get(program)?.(args)
}

/** Whether setting the variable changes nothing beyond itself: no subscript, which would be evaluated. */
function isSafeName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !isDangerousVariable(name)
}

function naming(spec: OptionSpec): ArgumentRule {
  return (args) => {
    const { operands, options, unsure } = readOptions(args, spec)
    if (unsure !== undefined) return other(`has an option that is not understood: ${unsure}`)
    const names = [...operands, ...options.filter((option) => option.name === 'a').flatMap((option) => (option.value ? [option.value] : []))]
    const risky = names.find((word) => !word.known || !isSafeName(word.text))
    return risky ? other(`changes a variable that may matter: ${risky.source}`) : harmless('only changes variables of its own shell')
  }
}

/** With `-a`, and for what is an array already, `declare x='($(cmd))'` runs `cmd`. */
function classifyDeclare(args: readonly ShellWord[]): Classification {
  const isArray = args.some((word) => /^[-+]\w*[aA]/.test(word.prefix))
  for (const word of args) {
    if (word.known && /^[-+][aAgfFlprtux]*$/.test(word.text)) continue
    const name = /^([^=+]*)\+?=/s.exec(word.prefix)?.[1] ?? (word.known ? word.text : '')
    if (!isSafeName(name)) return other(`changes a variable that may matter: ${word.source}`)
    const isText = !/^\w+\+?=\(/.test(word.source)
    if (isText && (/^\w+\+?=\(/s.test(word.prefix) || (isArray && !word.known))) return other(`reads a text as an array: ${word.source}`)
  }
  return harmless('only changes variables of its own shell')
}

function classifySet(args: readonly ShellWord[]): Classification {
  for (const [index, word] of args.entries()) {
    if (word.known && (word.text === '--' || word.text === '-')) break
    const isName = /^[-+]\w*o$/.test(args[index - 1]?.text ?? '')
    if (word.known && (isName ? SET_NAMES.has(word.text) : /^[-+][aeuxvfnCEhBTo]+$/.test(word.text))) continue
    return other(`changes how the shell reads commands: ${word.source}`)
  }
  return harmless('only changes its own shell')
}

/** `printf -v 'a[$(cmd)]'` runs `cmd`: the first word must surely be no option. */
function classifyPrintf(args: readonly ShellWord[]): Classification {
  const [first] = args
  if (first === undefined || (first.known && first.text === '--')) return harmless('only prints')
  if (first.known ? first.text.startsWith('-v') : first.prefix === '' || first.prefix.startsWith('-')) return other('may set a variable')
  return harmless('only prints')
}

/** `test -v 'a[$(cmd)]'` runs `cmd`: every unknown word must stand beside an operator that is known. */
function classifyTest(args: readonly ShellWord[]): Classification {
  for (const [index, word] of args.entries()) {
    if (word.known) {
      if (word.text === '-v' || word.text === '-R') return other('tests a variable whose subscript would be evaluated')
      continue
    }
    const before = knownText(args[index - 1])
    const after = knownText(args[index + 1])
    const isOperand = UNARY_TESTS.has(before) || BINARY_TESTS.has(before) || BINARY_TESTS.has(after)
    if (!isOperand || (word.splits && args.some((each) => each.text.includes('[') && each !== args.at(0)))) return other(`tests something that may turn out to be an operator: ${word.source}`)
  }
  return harmless('only tests')
}

function knownText(word: ShellWord | undefined): string {
  return word?.known ? word.text : ''
}

function classifyKill(args: readonly ShellWord[]): Classification {
  if (args[0]?.known && /^-[lL]$/.test(args[0].text)) return harmless('only lists signals')
  if (args.slice(1).some((word) => word.known && word.text === '-1')) return destructive('ends every process of the user')
  return other('ends processes')
}
