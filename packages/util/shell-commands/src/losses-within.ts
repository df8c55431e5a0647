/**
 * Finds losses in the texts that a program is given to run: `script -c 'rm x'`, `man -P 'rm x'`,
 * `tar --to-command='rm x'`, `GIT_SSH_COMMAND`. For programs of which it is not known which of
 * their arguments they run, every text that reads as a shell line with a loss in it counts.
 */
import { parseShellLine, programName } from '@deepseek-ai/dsh-shell-syntax'
import type { ShellWord, SimpleCommand } from '@deepseek-ai/dsh-shell-syntax'

import { classifyCommand } from './classify-command.ts'
import { lossOf } from './losses.ts'
import type { Classification } from './types.ts'
import { destructive, worse } from './verdicts.ts'

/** Programs some of whose options take prose, and those options. */
const PROSE: ReadonlyMap<string, RegExp> = new Map([
  ['git', /^(?:-[a-zA-Z]*m|--message|--trailer|--grep|-S|-G|--author|--format)$/],
  ['gh', /^(?:-[btnFmqf]|--(?:body|title|notes|message|field|raw-field|jq|subject))$/],
  ['glab', /^(?:-[btdm]|--(?:description|title|message))$/],
  ['curl', /^(?:-[dHF]|--data.*|--json|--header|--form)$/],
])

/** A text may be a command with something before it that another program takes for itself. */
const LEAD = /^(?:[:!|+\s]|\d*e\s|exec=|.{0,40}?\$\(shell\s|[\w.-]+=)+/

/** The longest text that is looked into. */
const MOST_LENGTH = 4_096

/** What `classifyCommand` says, with the losses in what the command is given to run. */
export async function classifyWithTexts(command: SimpleCommand): Promise<Classification> {
  const judged = classifyCommand(command)
  if (judged.class !== 'other') return judged
  for (const text of textsOf(command)) {
    const loss = await lossIn(text)
    if (loss !== undefined) return worse(judged, destructive(`may have run what ${loss}`))
  }
  return judged
}

function textsOf(command: SimpleCommand): string[] {
  const prose = PROSE.get(programName(command) ?? '')
  const words = command.words.slice(1).filter((_, index) => !prose?.test(command.words[index]?.text ?? ''))
  const values = [...words, ...command.assignments.map(({ value }) => value), ...inputsOf(command)]
  return values.filter(({ known, text }) => known && /\s/.test(text) && text.length <= MOST_LENGTH).flatMap(({ text }) => partsOf(text))
}

function inputsOf({ words, redirections }: SimpleCommand): ShellWord[] {
  const isWriter = /^(?:cat|tee|git|gh|dd)$/.test(words[0]?.text ?? '')
  return isWriter ? [] : redirections.filter(({ operator }) => operator.startsWith('<<')).map(({ target }) => target)
}

/** The text itself, and what stands in quotation marks within it: `system("rm x")`. */
function partsOf(text: string): string[] {
  const option = /^-[^=\s]*=/.exec(text)?.[0] ?? ''
  const bare = text.slice(option.length)
  const quoted = [...bare.matchAll(/"([^"]*\s[^"]*)"|'([^']*\s[^']*)'/g)].slice(0, 20).flatMap(([, double, single]) => double ?? single ?? [])
  return [bare, bare.replace(LEAD, ''), ...quoted]
}

async function lossIn(text: string): Promise<string | undefined> {
  const { commands } = await parseShellLine(text, { maxDepth: 4 })
  // A lone word is a name: of a recipe, of a test.
  return commands.filter(({ words }) => words.length > 1).map(lossOf).find((loss) => loss !== undefined)
}
