/** `dsh trust` and `dsh init`: finds the files, and hands over to the commands. */

import { join } from 'node:path'
import { HarnessError } from '@deepseek-ai/dsh-errors'
import { initCommand, listTrustCommand, revokeCommand, trustCommand, TrustError, type TrustTools } from '@deepseek-ai/dsh-project-tools'
import type { ExitCode, Terminal } from '@deepseek-ai/dsh-front-door'
import type { CommandLine } from '@deepseek-ai/dsh-command-line'
import { composeProject, directoryOf } from './compose.ts'
import { projectSettings } from './lazy-trust.ts'
import { userPaths } from './paths.ts'

/** Throws what composing and the commands throw. */
export async function runTrustCommand(line: CommandLine, terminal: Terminal): Promise<ExitCode> {
  const { trust: call } = line
  if (!call) throw new TypeError('dsh trust was not parsed')
  const tools: TrustTools = { terminal, trustFile: userPaths(process.env).trust, json: line.json, readProject: (project, trusted) => composeProject(line, project, trusted) }
  try {
    if (call.verb === 'list') return listTrustCommand(tools)
    const dir = directoryOf({ cwd: call.dir })
    return call.verb === 'revoke' ? await revokeCommand(dir, tools) : await trustCommand(dir, call.yes, tools)
  } catch (error) {
    // A record to be mended, a folder that is too large: nothing that a second try would change.
    throw error instanceof TrustError ? new HarnessError('USAGE', error.message, { cause: error }) : error
  }
}

/** Throws `USAGE` when the file is there already. */
export function runInitCommand(line: CommandLine, terminal: Terminal): ExitCode {
  const file = line.user ? join(userPaths(process.env).config, 'settings.yml') : projectSettings(directoryOf(line))
  return initCommand({ file, of: line.user ? 'user' : 'project', terminal })
}
