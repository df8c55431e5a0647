/** `!command`: the user runs a command; the model is told of it and of its output. */

import type { Context } from 'cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type {} from '@deepseek-ai/dsh-bash'
import { describeError, HarnessError } from '@deepseek-ai/dsh-errors'
import { redactValues, secretValues } from '@deepseek-ai/dsh-process-env'
import type { ReplScreen } from './repl-screen.ts'
import { clipStart } from '@deepseek-ai/dsh-text'
import { ToolItem } from '@deepseek-ai/dsh-transcript'

/** What is kept of a command that is stopped: the end of its output. In UTF-16 units. */
const MOST_STOPPED = 20_000

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
  const secrets = secretValues(process.env)
  const item = new ToolItem(theme, { name: '!', title: command })
  transcript.add(item)
  let shown = ''
  const tell = (output: string, status: string | undefined): void => agent.inject(`The user ran a command in the shell:\n$ ${command}\n${output}${status === undefined ? '' : `\n[${status}]`}`, { source: { kind: 'user' } })
  try {
    const { stdout, stderr, exitCode, signal: endedBy } = await bash.run(bash.resolve({ command, ...(cwd !== undefined && { cwd }) }), signal, text => {
      const safe = redactValues(text, secrets)
      shown = clipStart(shown + safe, MOST_STOPPED)
      item.push(safe)
      transcript.changed()
    })
    const output = redactValues([stdout.text, stderr.text].filter(text => text !== '').join('\n'), secrets)
    const status = endedBy === null ? (exitCode === 0 ? undefined : `exit code ${exitCode}`) : `ended by ${endedBy}`
    item.end({ isError: false, output, ...(status !== undefined && { status }) })
    tell(output, status)
  } catch (error) {
    if (!signal.aborted) {
      item.end({ isError: true, output: shown, status: describeError(error) })
      return
    }
    tell(shown, 'stopped by the user')
    item.end({ isError: true, output: shown, status: 'stopped' })
  } finally {
    transcript.changed()
  }
}
