/** The kind of a whole line: the worst of its parts. */
import { classifyWithTexts, parseShellLine } from '@deepseek-ai/dsh-shell-commands'

import type { CommandCase } from './commands.ts'

/** What the line counts as in the table of `commands.ts`. */
export async function lineKind(line: string): Promise<CommandCase['kind']> {
  const { commands, problems } = await parseShellLine(line)
  if (problems.length > 0) return 'unparsable'
  const classes = new Set((await Promise.all(commands.map(classifyWithTexts))).map((each) => each.class))
  return classes.has('destructive') ? 'destructive' : classes.has('other') ? 'other' : 'harmless'
}
