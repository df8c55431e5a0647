/** The table of commands: what is parsed, helped with, completed and written into the manual. */

import type { CommandName, CommandSpec } from './types.ts'

/** In the order of the help text; `run` first, whose name is never typed. */
export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'run',
    argument: '[PROMPT…]',
    most: Infinity,
    help: 'a conversation in the terminal, with PROMPT as the first message',
    details: [
      'With -p, or where input is piped, one shot: the final answer goes to stdout, everything else to stderr. Piped input becomes part of the prompt.',
      'A prompt that begins with a dash or with the name of a command goes after --.',
    ],
  },
  {
    name: 'sessions',
    argument: '[list]',
    most: Infinity,
    help: 'the sessions of this directory; also show, export, search, rename, delete, repair',
    details: ['An ID may be given by its beginning, as long as no other begins so.'],
    verbs: [
      { name: 'list', least: 0, most: 0, help: 'the sessions of this directory, the latest first' },
      { name: 'show', argument: 'ID', least: 1, most: 1, completes: 'session', help: 'what was said and done' },
      { name: 'export', argument: 'ID', least: 1, most: 1, completes: 'session', help: 'as markdown, json or html, without secrets' },
      { name: 'delete', argument: 'ID…', least: 1, most: Infinity, completes: 'session', help: 'delete them, after a question' },
      { name: 'rename', argument: 'ID TITLE', least: 2, most: Infinity, completes: 'session', help: 'give a session another title' },
      { name: 'search', argument: 'WORDS', least: 1, most: Infinity, help: 'the sessions in which these words were said' },
      { name: 'repair', argument: '[ID…]', least: 0, most: Infinity, completes: 'session', help: 'put what cannot be read aside, so that they open; without ID in all of them' },
    ],
  },
  {
    name: 'replay',
    argument: 'ID',
    most: Infinity,
    completes: 'session',
    help: 'run a session again from its record; exit code 1 and a diff when it differs',
    details: ['The model is not asked and no tool runs: their recorded answers are played back.'],
  },
  {
    name: 'explain',
    argument: '[permission …]',
    most: Infinity,
    help: 'what is composed: every row, its state, where each value comes from',
    details: ['Nothing is asked and nothing runs. What a project that is not trusted wants to set is shown as held back.', 'dsh explain permission shows the rules in force; followed by a command line, or by the name of a tool and its arguments as JSON, what would be said of that, part by part, and which rule is behind it. --permission asks about another mode.'],
  },
  {
    name: 'acp',
    most: 0,
    help: 'an agent for editors, on stdin and stdout (Agent Client Protocol)',
    details: [
      'An editor starts it; docs/editors.md says how. Every session names its own directory. The settings of the user hold; those of projects are not read.',
      'With --setup it asks for the API key as dsh auth does; with --replay it answers from a recorded session and asks no model.',
    ],
  },
  {
    name: 'auth',
    argument: '[remove]',
    most: 1,
    values: ['remove'],
    help: 'ask for the API key and store it for this user alone',
    details: ['DEEPSEEK_API_KEY in the environment goes before what is stored. dsh auth remove forgets it. Within a conversation /login and /logout do the same.'],
  },
  { name: 'doctor', most: 0, help: 'check the installation, the configuration and the model\'s address', details: ['Exit code 1 when a check fails. Keys are looked for and never printed.'] },
  {
    name: 'trust',
    argument: '[DIR]',
    most: 1,
    completes: 'directory',
    help: 'let the settings and plugins of a project take effect',
    details: [
      'Shows everything in .dsh/ of the project that runs, reaches or permits something, and asks. What is trusted is the content as it is now: any change of it has to be trusted again.',
      'Without a terminal and without --yes it lists and exits with 2.',
    ],
  },
  { name: 'models', most: 0, help: 'the models that can be chosen with -m', details: ['Asked from the endpoint where it can be reached, else those that are built in.'] },
  { name: 'init', most: 0, help: 'write a settings file with every common key, commented out', details: ['Writes .dsh/settings.yml, and never over a file that is there.'] },
  {
    name: 'completion',
    argument: 'SHELL',
    most: 1,
    values: ['bash', 'zsh', 'fish'],
    help: 'print the completion of dsh for bash, zsh or fish',
    details: [
      'bash: source <(dsh completion bash)  in ~/.bashrc',
      'zsh: dsh completion zsh > "${fpath[1]}/_dsh"',
      'fish: dsh completion fish > ~/.config/fish/completions/dsh.fish',
    ],
  },
  { name: 'help', argument: '[COMMAND]', most: 1, help: 'help, on a command if one is named', details: [] },
]

/** Undefined for words that are no command. */
export function findCommand(name: string | undefined): CommandSpec | undefined {
  return name === 'run' ? undefined : COMMANDS.find(command => command.name === name)
}

/** The row of the table, for a name that is known to be there. */
export function commandSpec(name: CommandName): CommandSpec {
  const found = COMMANDS.find(command => command.name === name)
  if (!found) throw new TypeError(`there is no command ${name} in the table`)
  return found
}
