/** The command line, parsed. Pure. */

import { parseArgs } from 'node:util'
import type { SessionsCall } from '@deepseek-ai/dsh-session-tools'
import { nearest } from '@deepseek-ai/dsh-text'
import { COMMANDS, findCommand } from './commands.ts'
import { belongsTo, OPTIONS, optionSpecs } from './options.ts'
import { readOutputOptions, type OutputOptions } from './output-options.ts'
import { notEmpty, oneOf, parseDuration, positiveInteger, positiveNumber } from './read-values.ts'
import { completeResume, readSessionOptions, type SessionOptions } from './session-options.ts'
import { parseReplayCall, parseSessionsCall } from './sessions-call.ts'
import { readTrustCall, type TrustCall } from './trust-call.ts'
import { readStreamJsonArgs } from './stream-json-args.ts'
import type { CommandName, CommandSpec } from './types.ts'
import { UsageError } from './usage-error.ts'

export interface CommandLine {
  command: CommandName | 'version'
  /** With `help`: the command it is asked about. */
  topic: CommandName | undefined
  /** One shot. */
  print: boolean
  /** The words of the prompt, joined by blanks; undefined when there are none. */
  prompt: string | undefined
  /** What follows a command. */
  words: string[]
  model: string | undefined
  permission: 'ask' | 'auto' | 'read-only' | undefined
  maxSteps: number | undefined
  maxTurns: number | undefined
  maxCost: number | undefined
  timeoutMs: number | undefined
  config: string | undefined
  set: string[]
  cwd: string | undefined
  verbosity: 'quiet' | 'normal' | 'verbose'
  /** A conversation line by line, whatever the terminal can do. */
  plain: boolean
  json: boolean
  /** What goes in and out besides text; undefined when nothing is said. */
  output: OutputOptions | undefined
  /** Which session a run works in; undefined when nothing is said. */
  session: SessionOptions | undefined
  /** With `sessions` and `replay`. */
  call: SessionsCall | undefined
  /** With `trust`. */
  trust: TrustCall | undefined
  /** With `acp`. */
  acp: { setup: boolean; replay?: string } | undefined
  /** With `init`: the settings of the user. */
  user: boolean
}

type Values = ReturnType<typeof parse>['values']

/** Throws `UsageError` with what is wrong and what was meant. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals, tokens } = parse(args)
  const first = positionals[0]
  const isPrompt = values.print === true || tokens.find(({ kind }) => kind === 'positional' || kind === 'option-terminator')?.kind === 'option-terminator'
  const named = isPrompt ? undefined : findCommand(first)
  const asked = values.version ? 'version' : values.help ? 'help' : (named?.name ?? 'run')
  const words = named ? positionals.slice(1) : positionals
  if (asked === 'version' || asked === 'help') return lineOf(asked, values, { topic: topicOf(asked, named, words) })
  if (named && words.length > named.most) throw new UsageError(`dsh ${named.name} takes ${named.argument === undefined ? 'no argument' : `${named.argument} and nothing more, not`} "${words.at(-1)}" (a prompt that begins with "${named.name}" goes after --)`)
  refuseForeign(asked, asked === 'sessions' ? (words[0] ?? 'list') : undefined, values)
  return lineOf(asked, values, {
    ...(named ? { words } : words.length > 0 && { prompt: words.join(' ') }),
    ...(asked === 'sessions' && { call: parseSessionsCall(words, values) }),
    ...(asked === 'replay' && { call: parseReplayCall(words) }),
    ...(asked === 'trust' && { trust: readTrustCall(words, values) }),
    ...(asked === 'acp' && { acp: { setup: values.setup ?? false, ...(notEmpty('--replay', values.replay) !== undefined && { replay: values.replay }) } }),
    session: readSessionOptions(values),
    output: readOutputOptions(values),
  })
}

function lineOf(command: CommandLine['command'], values: Values, more: Partial<CommandLine>): CommandLine {
  if (values.quiet && values.verbose) throw new UsageError('--quiet and --verbose exclude each other')
  return {
    command,
    topic: undefined,
    print: values.print ?? false,
    prompt: undefined,
    words: [],
    model: notEmpty('--model', values.model),
    permission: values.permission === undefined ? undefined : oneOf('--permission', values.permission, OPTIONS.permission.values),
    maxSteps: values['max-steps'] === undefined ? undefined : positiveInteger('--max-steps', values['max-steps']),
    maxTurns: values['max-turns'] === undefined ? undefined : positiveInteger('--max-turns', values['max-turns']),
    maxCost: values['max-cost'] === undefined ? undefined : positiveNumber('--max-cost', values['max-cost']),
    timeoutMs: values.timeout === undefined ? undefined : parseDuration('--timeout', values.timeout),
    config: notEmpty('--config', values.config),
    set: values.set ?? [],
    cwd: notEmpty('--cwd', values.cwd),
    plain: values.plain ?? false,
    verbosity: values.quiet ? 'quiet' : values.verbose ? 'verbose' : 'normal',
    json: values.json ?? false,
    output: undefined,
    session: undefined,
    call: undefined,
    trust: undefined,
    acp: undefined,
    user: values.user ?? false,
    ...more,
  }
}

/** `dsh help sessions` and `dsh sessions --help`; with `dsh some words --help` the words mean nothing. */
function topicOf(asked: 'help' | 'version', named: CommandSpec | undefined, [word, more]: readonly string[]): CommandName | undefined {
  if (asked === 'version' || named === undefined) return undefined
  if (named.name !== 'help') return named.name
  if (word === undefined) return undefined
  const topic = findCommand(word)
  if (topic && more === undefined) return topic.name
  if (topic) throw new UsageError(`dsh help takes [COMMAND] and nothing more, not "${more}" (a prompt that begins with "help" goes after --)`)
  throw new UsageError(`there is no command "${word}"${didYouMean(word)} (a prompt that begins with "help" goes after --)`)
}

function didYouMean(word: string): string {
  const names = COMMANDS.map(({ name }) => name).filter(name => name !== 'run')
  const meant = nearest(word, names)
  return meant ? `; did you mean ${meant}?` : `; there are ${names.join(', ')}`
}

/** An option that would have no effect is a mistake. */
function refuseForeign(command: CommandName, verb: string | undefined, values: Values): void {
  for (const [name, spec] of optionSpecs) {
    if (values[name] === undefined || belongsTo(spec, command, verb)) continue
    const owners = (spec.of ?? []).map(owner => (owner === 'run' ? 'a run' : `dsh ${owner}`))
    const last = owners.pop()
    throw new UsageError(`--${name} belongs to ${owners.length > 0 ? `${owners.join(', ')} and ${last}` : last}`)
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: completeResume(readStreamJsonArgs(args)), options: OPTIONS, allowPositionals: true, strict: true, tokens: true })
  } catch (error) {
    throw new UsageError(explain(error as Error & { code?: string }))
  }
}

/** Node's own words, with the option that was probably meant. */
function explain(error: Error & { code?: string }): string {
  const unknown = error.message.match(/^Unknown option '(-[^']*)'/)?.[1]
  if (unknown === undefined) return error.message.replace(/ argument is ambiguous.*$/s, ' is followed by a dash; a value that begins with one goes behind "="').replace(/\. To specify.*$/s, '')
  const meant = nearest(unknown, Object.keys(OPTIONS).map(name => `--${name}`))
  return `there is no option ${unknown}; ${meant ? `did you mean ${meant}?` : 'dsh --help lists them'} (a prompt that begins with a dash goes after --)`
}
