/** The sentences by which the stand-in says what it is and what it can do. */

/** Opens the first answer of a conversation. One line, and never the same as anything a model would say. */
export const NOTICE = 'This is `offline`, the built-in stand-in: it follows rules and is not a language model. For a real one, give dsh a key: `/login` in a conversation, or `dsh auth`.'

/** Why something was not done, and what to do about it. */
export const NEEDS_MODEL = 'needs a real model: give dsh a key (`/login` in a conversation, or `dsh auth`), or choose one with `--model`'

/** What `help` answers. */
export const HELP = `I understand direct commands in plain words, one or several ("…, then …", or one a line):

- run \`npm test\`
- read README.md, lines 1-20 of src/index.ts
- list files in src, find files named *.spec.ts
- search for "TODO" in src
- write notes.txt with content "hello", append "one more" to notes.txt
- replace "old" with "new" in notes.txt
- todo: first thing, second thing
- fetch https://example.org

Anything else I answer with a survey of this folder: its files, readme, scripts and recent history.`
