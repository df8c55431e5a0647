/** `dsh sessions …` and `dsh replay …`: composes, and hands over to the commands. */

import type { ExitCode, Terminal } from '@deepseek-ai/dsh-front-door'
import { sessionsCommand, type SessionTools } from '@deepseek-ai/dsh-session-tools'
import { builtinPlugins } from './builtin-plugins.ts'
import type { CommandLine } from '@deepseek-ai/dsh-command-line'
import { compose } from './compose.ts'
import { hostModules } from './host-modules.ts'

/** Throws what composing and the store throw. */
export async function runSessionsCommand(line: CommandLine, terminal: Terminal): Promise<ExitCode> {
  if (!line.call) throw new TypeError(`dsh ${line.command} was not parsed`)
  return await sessionsCommand(line.call, await sessionTools(line, terminal))
}

/** What the tools of sessions work with: the composition without a front door. */
export async function sessionTools(line: CommandLine, terminal: Terminal): Promise<SessionTools> {
  const { plan, cwd, approve } = await compose(line, undefined, process.env)
  const boot = { builtins: builtinPlugins, ...(await hostModules()), approve }
  return { plan, cwd, terminal, env: process.env, boot, json: line.json, signal: new AbortController().signal }
}
