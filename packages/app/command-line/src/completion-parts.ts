/** What the completions of all shells are made of, read from the tables. Pure. */

import { COMMANDS } from './commands.ts'
import { belongsTo, optionSpecs } from './options.ts'
import type { CommandSpec, OptionSpec, ValueKind } from './types.ts'

/** One option with everything that it is called. */
export interface CompletedOption extends OptionSpec {
  name: string
  /** `-m`, `--model`. */
  flags: string[]
}

/** In the order of the table. */
export const completedOptions: readonly CompletedOption[] = optionSpecs.map(([name, spec]) => ({ ...spec, name, flags: [...(spec.short === undefined ? [] : [`-${spec.short}`]), `--${name}`] }))

/** Those that are typed. */
export const typedCommands: readonly CommandSpec[] = COMMANDS.filter(({ name }) => name !== 'run')

/** Where options are offered: each command, each verb of it; `run` when there is none. */
export const places: readonly { place: string; options: readonly CompletedOption[] }[] = COMMANDS.flatMap(({ name, verbs }) => [
  { place: name, options: completedOptions.filter(option => belongsTo(option, name)) },
  ...(verbs ?? []).map(verb => ({ place: `${name} ${verb.name}`, options: completedOptions.filter(option => belongsTo(option, name, verb.name)) })),
])

/** What the words behind a command or a verb are. */
export const wordPlaces: readonly { place: string; values?: readonly string[]; completes?: ValueKind }[] = typedCommands.flatMap(({ name, verbs, values, completes }) => [
  { place: name, ...wordsOf(name, verbs?.map(verb => verb.name) ?? values), ...(completes && { completes }) },
  ...(verbs ?? []).map(verb => ({ place: `${name} ${verb.name}`, ...(verb.completes && { completes: verb.completes }) })),
])

/** Flags that take a value, as `case` patterns know them. */
export const valueFlags: readonly string[] = completedOptions.filter(({ type }) => type === 'string').flatMap(({ flags }) => flags)

/** Model names that are there without asking anybody. */
export const KNOWN_MODELS: readonly string[] = ['offline']

/** Prints the ids of all sessions, one a line; `dsh` is how the shell calls the program that is completed. */
export function listSessions(dsh: string): string {
  return `${dsh} sessions list --all --json 2>/dev/null | sed -n 's/^ *"id": "\\([^"]*\\)".*/\\1/p'`
}

function wordsOf(name: string, values: readonly string[] | undefined): { values?: readonly string[] } {
  if (name === 'help') return { values: typedCommands.map(command => command.name) }
  return values ? { values } : {}
}
