/** The table of options: what is parsed, helped with, completed and written into the manual. */

import type { OptionSpec } from './types.ts'

/** Commands that compose, and so take what decides the composition. */
const COMPOSING = ['run', 'acp', 'sessions', 'replay', 'explain', 'doctor', 'models'] as const

/** Commands that say how a run would be. */
const ABOUT_RUNS = ['run', 'acp', 'explain', 'doctor'] as const

const RUN = ['run'] as const

/** In the order of the help text. */
export const OPTIONS = {
  print: { type: 'boolean', short: 'p', group: 'run', of: RUN, help: 'one shot: run, print the final answer, exit' },
  model: { type: 'string', short: 'm', argument: 'NAME', completes: 'model', group: 'run', of: ABOUT_RUNS, help: 'the model; "offline" is the embedded stand-in that needs no key' },
  permission: { type: 'string', argument: 'MODE', values: ['ask', 'auto', 'read-only'], group: 'run', of: ABOUT_RUNS, help: 'ask (default): reading runs, the rest is asked; auto; read-only' },
  'max-steps': { type: 'string', argument: 'N', group: 'run', of: RUN, help: 'end the turn after N steps' },
  'max-cost': { type: 'string', argument: 'X', group: 'run', of: RUN, help: 'end the turn when it has cost X, by the prices of the model' },
  timeout: { type: 'string', argument: 'DURATION', group: 'run', of: RUN, help: 'end the turn after this time: 90, 90s, 5m, 1h' },
  plain: { type: 'boolean', group: 'run', of: RUN, help: 'a conversation line by line, for screen readers and simple terminals' },

  continue: { type: 'boolean', short: 'c', group: 'session', of: RUN, help: 'go on with the latest session of this directory' },
  resume: { type: 'string', short: 'r', argument: '[ID]', completes: 'session', group: 'session', of: RUN, help: 'go on with a session, by id or its beginning; in a terminal, pick one' },
  fork: { type: 'string', argument: 'ID[@SEQ]', completes: 'session', group: 'session', of: RUN, help: 'begin a new session as a copy of another, up to an event' },
  'session-id': { type: 'string', argument: 'ID', group: 'session', of: RUN, help: 'the id of the new session' },
  title: { type: 'string', argument: 'T', group: 'session', of: RUN, help: 'the title of the session' },
  'no-session': { type: 'boolean', group: 'session', of: RUN, help: 'keep nothing of the session' },

  'output-format': { type: 'string', argument: 'FORMAT', values: ['text', 'json', 'jsonl', 'stream-json'], group: 'script', of: RUN, help: 'text (default), json: the result; jsonl, stream-json: every event' },
  'input-format': { type: 'string', argument: 'FORMAT', values: ['text', 'jsonl', 'stream-json'], group: 'script', of: RUN, help: 'text (default): a prompt; jsonl, stream-json: messages, one a line' },
  'include-partial-messages': { type: 'boolean', group: 'script', of: RUN, help: 'with stream-json: the pieces of a message as they come, too' },
  output: { type: 'string', short: 'o', argument: 'FILE', completes: 'file', group: 'script', of: ['run', 'sessions export'], help: 'write the last message there, too; with sessions export: the export' },
  'json-schema': { type: 'string', argument: 'FILE', completes: 'file', group: 'script', of: RUN, help: 'the final answer is JSON that this schema describes' },
  'max-turns': { type: 'string', argument: 'N', group: 'script', of: RUN, help: 'end the run after N turns' },

  cwd: { type: 'string', argument: 'DIR', completes: 'directory', group: 'composition', of: [...COMPOSING, 'init'], help: 'work in DIR' },
  config: { type: 'string', argument: 'FILE', completes: 'file', group: 'composition', of: COMPOSING, help: 'a composition to use in place of the built-in one' },
  set: { type: 'string', multiple: true, argument: 'ROW.PATH=VALUE', group: 'composition', of: COMPOSING, help: 'set one configuration value; may be repeated' },

  all: { type: 'boolean', group: 'command', of: ['sessions list', 'sessions search'], help: 'of every directory' },
  format: { type: 'string', argument: 'FORMAT', values: ['markdown', 'json', 'html'], group: 'command', of: ['sessions export'], help: 'what to export as; default: what FILE ends in, then markdown' },
  force: { type: 'boolean', group: 'command', of: ['sessions delete'], help: 'do not ask' },
  setup: { type: 'boolean', group: 'command', of: ['acp'], help: 'ask for the API key in this terminal, store it, and end' },
  replay: { type: 'string', argument: 'ID', completes: 'session', group: 'command', of: ['acp'], help: 'answer from a recorded session, turn by turn' },
  yes: { type: 'boolean', group: 'command', of: ['trust'], help: 'trust without being asked, as scripts need it' },
  list: { type: 'boolean', group: 'command', of: ['trust'], help: 'list the projects that are trusted' },
  revoke: { type: 'boolean', group: 'command', of: ['trust'], help: 'trust the project no longer' },
  user: { type: 'boolean', group: 'command', of: ['init'], help: 'your own settings, not those of the project' },
  json: { type: 'boolean', group: 'command', of: ['explain', 'doctor', 'sessions', 'models', 'trust'], help: 'JSON for machines' },

  quiet: { type: 'boolean', group: 'general', help: 'less on stderr' },
  verbose: { type: 'boolean', group: 'general', help: 'more on stderr' },
  version: { type: 'boolean', short: 'V', group: 'general', help: 'print the version' },
  help: { type: 'boolean', short: 'h', group: 'general', help: 'print help; behind a command, help on it' },
} as const satisfies Record<string, OptionSpec>

export type OptionName = keyof typeof OPTIONS

/** The table with what is optional in it. */
export const optionSpecs: readonly (readonly [OptionName, OptionSpec])[] = Object.entries(OPTIONS) as [OptionName, OptionSpec][]

/** Whether an option may stand with a command, or with one verb of it. */
export function belongsTo({ of }: OptionSpec, command: string, verb?: string): boolean {
  if (of === undefined || of.includes(command)) return true
  return verb === undefined ? of.some(owner => owner.startsWith(`${command} `)) : of.includes(`${command} ${verb}`)
}
