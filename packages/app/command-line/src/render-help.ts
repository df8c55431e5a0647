/** The text of `dsh --help` and of `dsh help COMMAND`, made from the tables. Pure. */

import { COMMANDS, commandSpec } from './commands.ts'
import { belongsTo, optionSpecs } from './options.ts'
import type { CommandName, CommandSpec, OptionGroup, OptionSpec, VerbSpec } from './types.ts'

/** What stands under `Exit codes`; documented, so never renumbered. */
export const EXIT_CODES: readonly (readonly [number, string])[] = [
  [0, 'completed'],
  [1, 'the turn failed'],
  [2, 'usage or configuration'],
  [3, 'timeout'],
  [4, 'no such session, or in use'],
  [5, 'a permission was needed that nobody could give'],
  [6, 'a budget ran out'],
  [75, 'the provider failed and a retry may help'],
  [130, 'interrupted'],
  [143, 'terminated'],
]

/** The environment that dsh reads of its own. */
export const ENVIRONMENT: readonly (readonly [string, string])[] = [
  ['DEEPSEEK_API_KEY', 'the key of the default adapter'],
  ['DEEPSEEK_BASE_URL', 'the address of any OpenAI-compatible endpoint, up to /chat/completions'],
  ['DSH_HOME', 'where settings and sessions are, in place of the XDG directories'],
  ['DSH_DEBUG', 'when set, errors come with their stack'],
]

/** Headings, in their order. */
export const GROUPS: readonly (readonly [OptionGroup, string])[] = [
  ['run', 'Runs'],
  ['session', 'Sessions'],
  ['script', 'Scripts'],
  ['composition', 'Composition'],
  ['command', 'Commands'],
  ['general', 'General'],
]

const LEFT = 32
const WIDTH = 100

/** The overview, or the help on one command. Ends with a line feed. */
export function renderHelp(topic?: CommandName): string {
  return topic === undefined || topic === 'run' || topic === 'help' ? overview() : helpOn(commandSpec(topic))
}

/** `-p, --print`, with the value that it takes. */
export function optionUsage(name: string, { short, argument }: OptionSpec, indent = true): string {
  const head = short === undefined ? (indent ? '    ' : '') : `-${short}, `
  return `${head}--${name}${argument === undefined ? '' : ` ${argument}`}`
}

/** What follows `dsh`. */
export function commandUsage({ name, argument }: CommandSpec, verb?: VerbSpec): string {
  const words = verb ? [name, verb.name, verb.argument] : [name === 'run' ? undefined : name, argument]
  return ['dsh', ...words].filter(word => word !== undefined).join(' ')
}

function overview(): string {
  const [run, ...others] = COMMANDS.map(command => row(commandUsage(command), command.help))
  const sections = GROUPS.filter(([group]) => group !== 'command').map(([group, title]) => `${title}:\n${optionRows(([, spec]) => spec.group === group)}`)
  return `dsh, an AI coding agent made of plugins

${run}${row('dsh -p, --print [PROMPT…]', 'one shot: run, print the final answer, exit')}${others.join('')}
${sections.join('\n')}
Piped input becomes part of the prompt. The answer goes to stdout, everything else to stderr.
${wrap(`Exit codes: ${EXIT_CODES.map(([code, meaning]) => `${code} ${meaning}`).join('; ')}.`, 0)}
Keys: DEEPSEEK_API_KEY, and DEEPSEEK_BASE_URL for any OpenAI-compatible endpoint.
dsh help COMMAND says more on one; the manual is dsh(1).
`
}

function helpOn(command: CommandSpec): string {
  const usages = command.verbs?.map(verb => row(commandUsage(command, verb), verb.help)) ?? [row(commandUsage(command), command.help)]
  const details = command.details.map(paragraph => `\n${wrap(paragraph, 0)}\n`).join('')
  return `${usages.join('')}${details}
${optionRows(([, spec]) => spec.group === 'command' && belongsTo(spec, command.name))}${optionRows(([, spec]) => spec.group !== 'command' && belongsTo(spec, command.name))}`
}

function optionRows(isMeant: (option: readonly [string, OptionSpec]) => boolean): string {
  return optionSpecs.filter(isMeant).map(([name, spec]) => row(optionUsage(name, spec), spec.help)).join('')
}

/** One line of two columns, more where it is too long. */
function row(left: string, right: string): string {
  const head = `  ${left}`
  const start = head.length + 2 > LEFT ? `${head}\n${' '.repeat(LEFT)}` : head.padEnd(LEFT)
  return `${start}${wrap(right, LEFT)}\n`
}

/** Breaks between words; lines after the first begin `indent` further in. */
function wrap(text: string, indent: number): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && indent + line.length + 1 + word.length > WIDTH) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join(`\n${' '.repeat(indent)}`)
}
