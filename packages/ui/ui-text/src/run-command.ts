/** `/` commands in a conversation line by line: through the registry, with what lines can do. */

import type { Context } from 'cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { Choice, CommandDoor, CommandRegistry } from '@deepseek-ai/dsh-commands'
import { describeError, HarnessError } from '@deepseek-ai/dsh-errors'
import { stripControls } from '@deepseek-ai/dsh-text'
import type { LineReader } from './line-reader.ts'

/** What the line conversation itself understands. */
const KEYS = `  /quit leaves (Ctrl-D too). Ctrl-C stops what is running; once more leaves.
  What you type while the model works reaches it between two steps.
`

export interface TypedCommand {
  /** With its slash. */
  line: string
  agent: Agent
  lines: LineReader
  signal: AbortSignal
}

/** Tells what became of it; a failure is told, too, unless the user has left. */
export async function runCommand(ctx: Context, typed: TypedCommand): Promise<void> {
  const { line, lines, signal } = typed
  try {
    const commands = ctx.get('commands')
    if (!commands) return tellWithout(line, lines)
    await runRegistered(commands, typed)
    if (line === '/help') lines.print(KEYS)
  } catch (error) {
    if (!signal.aborted) lines.print(`${stripControls(describeError(error))}\n`)
  }
}

async function runRegistered(commands: CommandRegistry, { line, agent, lines, signal }: TypedCommand): Promise<void> {
  const result = await commands.run(line, { agent, door: doorOf(lines), signal })
  if (result?.kind === 'show') lines.print(`${stripControls(withoutBold(result.markdown))}\n`)
  else if (result?.kind === 'prompt') agent.steer(result.content)
}

/** Marks for a typesetter are noise when they are read out. */
function withoutBold(markdown: string): string {
  return markdown.replace(/\*\*([^*\n]+)\*\*/g, '$1')
}

function tellWithout(line: string, lines: LineReader): void {
  if (line === '/help') lines.print(KEYS)
  else throw new HarnessError('UNKNOWN_COMMAND', `there is no command ${line}; /help lists them`)
}

function doorOf(lines: LineReader): CommandDoor {
  return {
    askSecret: async (question, signal) => await lines.askHidden(`${question} (it is not shown; nothing: go back): `, signal),
    async choose(title, choices, signal) {
      const line = (await lines.ask(`${renderChoices(title, choices)}number, or nothing: `, signal)).trim()
      const chosen = /^\d+$/.test(line) ? choices[Number(line) - 1] : undefined
      if (line !== '' && !chosen) throw new HarnessError('USAGE', `${line} is not in the list`)
      return chosen?.value
    },
  }
}

function renderChoices(title: string, choices: readonly Choice[]): string {
  const rows = choices.map(({ label, description }, i) => `  ${i + 1}  ${label}${description === undefined ? '' : `  ${description}`}`)
  return stripControls([title, ...rows, ''].join('\n'))
}
