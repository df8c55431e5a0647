/** The list of commands as Markdown. Pure. */

import type { Command, CommandDoor } from './types.ts'

/** Those that `door` can carry out. */
export function renderHelp(commands: readonly Command[], door: CommandDoor): string {
  const lines = commands.filter(({ needs }) => needs === undefined || door[needs] !== undefined).map(({ name, argumentHint, aliases, description }) => {
    const also = aliases && aliases.length > 0 ? ` (also ${aliases.map(alias => `/${alias}`).join(', ')})` : ''
    return `- **/${name}**${argumentHint === undefined ? '' : ` ${argumentHint}`}: ${description}${also}`
  })
  return [...lines, '', 'Anything else is a message. **!** runs a command in the shell, **@** names a file.'].join('\n')
}
