/** `!command`: the user runs a command; the model is told of it and of its output. */

import type { Context } from 'cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type {} from '@deepseek-ai/dsh-bash'
import { HarnessError } from '@deepseek-ai/dsh-errors'
import type { ReplScreen } from './repl-screen.ts'
import { ToolItem } from '@deepseek-ai/dsh-transcript'

export interface ShellLine {
  agent: Agent
  command: string
  signal: AbortSignal
}

/** Runs it where the session stands. Throws `NO_SHELL` without `ctx.bash`. */
export async function runShellLine(ctx: Context, { transcript, theme }: ReplScreen, { agent, command, signal }: ShellLine): Promise<void> {
  const bash = ctx.get('bash')
  if (!bash) throw new HarnessError('NO_SHELL', 'no shell is mounted: the composition has no row such as bash-local')
  const { cwd } = agent.session.header
  const item = new ToolItem(theme, { name: '!', title: command })
  transcript.add(item)
  try {
    const { stdout, stderr, exitCode, signal: endedBy } = await bash.run(bash.resolve({ command, ...(cwd !== undefined && { cwd }) }), signal, text => {
      item.push(text)
      transcript.changed()
    })
    const output = [stdout.text, stderr.text].filter(text => text !== '').join('\n')
    const status = endedBy === null ? (exitCode === 0 ? undefined : `exit code ${exitCode}`) : `ended by ${endedBy}`
    item.end({ isError: false, output, ...(status !== undefined && { status }) })
    agent.inject(`The user ran a command in the shell:\n$ ${command}\n${output}${status === undefined ? '' : `\n[${status}]`}`, { source: { kind: 'user' } })
  } catch (error) {
    item.end({ isError: true, output: '', status: signal.aborted ? 'stopped' : String(error instanceof Error ? error.message : error) })
  } finally {
    transcript.changed()
  }
}
