/** The command line, parsed. Pure. */

import { parseArgs, type ParseArgsConfig } from 'node:util'
import type { SessionsCall } from '@deepseek-ai/dsh-session-tools'
import { nearest } from '@deepseek-ai/dsh-text'
import { completeResume, readSessionOptions, SESSION_OPTIONS, type SessionOptions } from './session-options.ts'
import { parseReplayCall, parseSessionsCall, refuseForeign, SESSIONS_OPTIONS } from './sessions-call.ts'
import { UsageError } from './usage-error.ts'

export { UsageError } from './usage-error.ts'

export type CommandName = 'run' | 'explain' | 'doctor' | 'sessions' | 'replay' | 'help' | 'version'

export interface CommandLine {
  command: CommandName
  /** One shot. */
  print: boolean
  /** The words of the prompt, joined by blanks; undefined when there are none. */
  prompt: string | undefined
  model: string | undefined
  permission: 'ask' | 'auto' | 'read-only' | undefined
  maxSteps: number | undefined
  timeoutMs: number | undefined
  config: string | undefined
  set: string[]
  cwd: string | undefined
  verbosity: 'quiet' | 'normal' | 'verbose'
  json: boolean
  /** Which session a run works in; undefined when nothing is said. */
  session: SessionOptions | undefined
  /** With `sessions` and `replay`. */
  call: SessionsCall | undefined
}

const OPTIONS = {
  print: { type: 'boolean', short: 'p' },
  model: { type: 'string', short: 'm' },
  permission: { type: 'string' },
  'max-steps': { type: 'string' },
  timeout: { type: 'string' },
  config: { type: 'string' },
  set: { type: 'string', multiple: true },
  cwd: { type: 'string' },
  quiet: { type: 'boolean' },
  verbose: { type: 'boolean' },
  json: { type: 'boolean' },
  ...SESSION_OPTIONS,
  ...SESSIONS_OPTIONS,
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
} as const satisfies ParseArgsConfig['options']

const COMMANDS: readonly string[] = ['explain', 'doctor', 'sessions', 'replay', 'help']

/** These take words of their own. */
const WITH_WORDS: ReadonlySet<CommandName> = new Set(['sessions', 'replay'])

/** These have a JSON form. */
const WITH_JSON: ReadonlySet<CommandName> = new Set(['explain', 'doctor', 'sessions'])

const MODES = ['ask', 'auto', 'read-only'] as const

/** Throws `UsageError` with what is wrong and what was meant. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals, tokens } = parse(args)
  const first = positionals[0]
  const isPrompt = values.print === true || tokens.find(({ kind }) => kind === 'positional' || kind === 'option-terminator')?.kind === 'option-terminator'
  const isCommand = !isPrompt && first !== undefined && COMMANDS.includes(first)
  const words = isCommand ? positionals.slice(1) : positionals
  const command: CommandName = values.version ? 'version' : values.help ? 'help' : isCommand ? (first as CommandName) : 'run'
  if (isCommand && !WITH_WORDS.has(command) && words.length > (command === 'help' ? 1 : 0)) throw new UsageError(`dsh ${first} takes no argument "${words.at(-1)}" (a prompt that begins with "${first}" goes after --)`)
  if (values.json && !WITH_JSON.has(command)) throw new UsageError('--json belongs to dsh explain, dsh doctor and dsh sessions')
  const call = command === 'sessions' ? parseSessionsCall(words, values) : command === 'replay' ? parseReplayCall(words, values) : undefined
  if (call === undefined) refuseForeign(undefined, values)
  const session = readSessionOptions(values)
  if (session !== undefined && command !== 'run' && command !== 'help' && command !== 'version') throw new UsageError(`dsh ${command} runs no session: leave the option that chooses one out`)
  if (values.quiet && values.verbose) throw new UsageError('--quiet and --verbose exclude each other')
  return {
    command,
    print: values.print ?? false,
    prompt: words.length > 0 && call === undefined ? words.join(' ') : undefined,
    model: notEmpty('--model', values.model),
    permission: values.permission === undefined ? undefined : oneOf('--permission', values.permission, MODES),
    maxSteps: values['max-steps'] === undefined ? undefined : positiveInteger('--max-steps', values['max-steps']),
    timeoutMs: values.timeout === undefined ? undefined : parseDuration('--timeout', values.timeout),
    config: notEmpty('--config', values.config),
    set: values.set ?? [],
    cwd: notEmpty('--cwd', values.cwd),
    verbosity: values.quiet ? 'quiet' : values.verbose ? 'verbose' : 'normal',
    json: values.json ?? false,
    session,
    call,
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: completeResume(args), options: OPTIONS, allowPositionals: true, strict: true, tokens: true })
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

/** An empty value is a variable that a script forgot to set. */
function notEmpty(option: string, value: string | undefined): string | undefined {
  if (value?.trim() === '') throw new UsageError(`${option} takes a value that is not empty`)
  return value
}

function oneOf<T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find(each => each === value)
  if (found !== undefined) return found
  const meant = nearest(value, allowed)
  throw new UsageError(`${option} is one of ${allowed.join(', ')}, not "${value}"${meant ? `; did you mean ${meant}?` : ''}`)
}

function positiveInteger(option: string, value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value)
  throw new UsageError(`${option} takes a whole number from 1, not "${value}"`)
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, '': 1000, m: 60_000, h: 3_600_000 }

/** The longest that a timer can wait: 2^31 - 1 milliseconds. */
const LONGEST_MS = 2_147_483_647

/** `90`, `90s`, `1.5m`, `2h`, `500ms`; a bare number is seconds. */
function parseDuration(option: string, value: string): number {
  const [, amount, unit = ''] = value.match(/^(\d+(?:\.\d+)?)(ms|s|m|h)?$/) ?? []
  const result = Math.round(Number(amount) * (UNITS[unit] ?? Number.NaN))
  if (result >= 1 && result <= LONGEST_MS) return result
  throw new UsageError(`${option} takes a duration such as 90, 90s, 5m or 1h (up to 24 days), not "${value}"`)
}
