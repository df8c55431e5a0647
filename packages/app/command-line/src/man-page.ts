/** The manual page, made from the tables. Pure. */

import { COMMANDS } from './commands.ts'
import { belongsTo, optionSpecs } from './options.ts'
import { commandUsage, ENVIRONMENT, EXIT_CODES, GROUPS, optionUsage } from './render-help.ts'
import type { CommandSpec, OptionSpec } from './types.ts'

const FILES: readonly (readonly [string, string])[] = [
  ['~/.config/dsh/settings.yml', 'your own settings; dsh init --user writes one with every common key, commented out'],
  ['.dsh/settings.yml', 'the settings of a project; what runs, reaches or permits something in them takes effect after dsh trust'],
  ['~/.local/share/dsh/sessions/', 'the sessions, one file each'],
  ['~/.local/share/dsh/trust.json', 'which projects are trusted, with fingerprints of their files'],
]

const EXAMPLES: readonly (readonly [string, string])[] = [
  ['dsh', 'a conversation in this directory'],
  ['dsh -p "fix the failing test" --permission auto', 'one shot, in which nothing is asked'],
  ['git diff | dsh -p "review this"', 'a prompt with something piped into it'],
  ['dsh -p --output-format json --max-turns 1 "list the TODOs" | jq -r .result', 'a script'],
  ['dsh -c', 'go on where the last session of this directory ended'],
]

/** In the macros of man(7), ASCII only. */
export function renderManPage(version: string): string {
  return [
    '.\\" Made by scripts/gen-man.ts from the tables of the command line; do not edit.',
    `.TH DSH 1 "" "dsh ${escape(version)}" "User Commands"`,
    section('NAME'), 'dsh \\- an AI coding agent made of plugins',
    section('SYNOPSIS'), ...synopsis(),
    section('DESCRIPTION'), ...paragraphs(COMMANDS.flatMap(({ name, help, details }) => (name === 'run' ? [`Without a command, dsh is ${help}.`, ...details] : []))),
    section('COMMANDS'), ...COMMANDS.filter(({ name }) => name !== 'run').flatMap(describeCommand),
    section('OPTIONS'), ...GROUPS.filter(([group]) => group !== 'command').flatMap(([group, title]) => [`.SS ${escape(title)}`, ...options(([, spec]) => spec.group === group)]),
    section('EXIT STATUS'), ...EXIT_CODES.flatMap(([code, meaning]) => item(`.B ${code}`, meaning)),
    section('ENVIRONMENT'), ...ENVIRONMENT.flatMap(([name, meaning]) => item(`.B ${name}`, meaning)),
    section('FILES'), ...FILES.flatMap(([file, meaning]) => item(`.I ${escape(file)}`, meaning)),
    section('EXAMPLES'), ...EXAMPLES.flatMap(([command, meaning]) => item(`.B ${escape(command)}`, meaning)),
    '',
  ].join('\n')
}

function section(title: string): string {
  return `.SH ${title}`
}

function synopsis(): string[] {
  const lines = [...COMMANDS.map(command => commandUsage(command)), 'dsh -p [PROMPT…]']
  return lines.flatMap((line, index) => [...(index === 0 ? [] : ['.br']), `.B ${escape(line)}`])
}

function describeCommand(command: CommandSpec): string[] {
  const { name, verbs = [] } = command
  const own = optionSpecs.filter(([, spec]) => spec.group === 'command' && belongsTo(spec, name))
  return [
    '.TP', `.B ${escape(commandUsage(command))}`, escape(`${command.help}.`),
    ...command.details.flatMap(detail => ['.IP', escape(detail)]),
    ...(verbs.length + own.length === 0 ? [] : ['.RS', ...verbs.flatMap(verb => item(`.B ${escape(commandUsage(command, verb))}`, verb.help)), ...options(([option]) => own.some(([each]) => each === option)), '.RE']),
  ]
}

function options(isMeant: (option: readonly [string, OptionSpec]) => boolean): string[] {
  return optionSpecs.filter(isMeant).flatMap(([name, spec]) => item(`.B ${escape(optionUsage(name, spec, false))}`, spec.values ? `${spec.help} (${spec.values.join(', ')})` : spec.help))
}

function item(head: string, text: string): string[] {
  return ['.TP', head, escape(`${text}.`)]
}

function paragraphs(texts: readonly string[]): string[] {
  return texts.flatMap(text => ['.PP', escape(text)])
}

/** Text that no line of can be taken for a request, in which dashes can be copied, and that every system can show. */
function escape(text: string): string {
  const plain = text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('…', '...').replaceAll('"', '\\(dq').replaceAll('~', '\\(ti')
  return /^[.']/.test(plain) ? `\\&${plain}` : plain
}
