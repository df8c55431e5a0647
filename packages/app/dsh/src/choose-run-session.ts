/** Settles which session a run works in, and where, before the run is composed: its directory decides which settings apply. */

import type { SessionRequest, Terminal } from '@deepseek-ai/dsh-front-door'
import type { CommandLine } from '@deepseek-ai/dsh-command-line'

export interface ChosenRun {
  request: SessionRequest
  /** Absolute, or as the command line has it. */
  cwd: string | undefined
}

/** Undefined when somebody was to pick one and did not. */
export async function chooseRunSession(line: CommandLine, terminal: Terminal): Promise<ChosenRun | undefined> {
  const { session } = line
  if (!session) return undefined
  const { choice, isStored, title } = session
  const rest = { isStored, ...(title !== undefined && { title }) }
  if (choice.kind === 'new') return { request: { start: choice, ...rest }, cwd: line.cwd }
  const [{ chooseSession }, { sessionTools }] = await Promise.all([import('@deepseek-ai/dsh-session-tools'), import('./sessions-command.ts')])
  const chosen = await chooseSession(choice, { ...(await sessionTools(line, terminal)), isCwdGiven: line.cwd !== undefined })
  return chosen && { request: { start: chosen.start, ...rest }, cwd: chosen.cwd }
}
