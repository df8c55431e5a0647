/** The sentences by which the stand-in says what it is and what it can do. */

/** Opens the first answer of a conversation. One line, and never the same as anything a model would say. */
export const NOTICE = 'This is `offline`, the built-in stand-in: it follows rules and is not a language model. For a real one, give dsh a key: `/login` in a conversation, or `dsh auth`.'

/** Why something was not done, and what to do about it. */
export const NEEDS_MODEL = 'needs a real model: give dsh a key (`/login` in a conversation, or `dsh auth`), or choose one with `--model`'

/** Each kind of command by example, with the tool that it needs. */
const EXAMPLES: readonly (readonly [tool: string, example: string])[] = [
  ['bash', 'run `npm test`'],
  ['read', 'read README.md, lines 1-20 of src/index.ts'],
  ['glob', 'list files in src, find files named *.spec.ts'],
  ['grep', 'search for "TODO" in src'],
  ['write', 'write notes.txt with content "hello", append "one more" to notes.txt'],
  ['edit', 'replace "old" with "new" in notes.txt'],
  ['todo_write', 'todo: first thing, second thing'],
  ['web_fetch', 'fetch https://example.org'],
]

/** What `help` answers where these tools are there. */
export function renderHelp(hasTool: (name: string) => boolean): string {
  const examples = EXAMPLES.filter(([tool]) => hasTool(tool)).map(([, example]) => `- ${example}\n`)
  return `I understand direct commands in plain words, one or several ("…, then …", or one a line):

${examples.join('')}
Anything else I answer with a survey of this folder: its files, readme, scripts and recent history.`
}
