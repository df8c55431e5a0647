/** What a run whose output a program reads has around it: stdout is the front door's alone, and every failure is a result line. */

import type { ExitCode, OutputFormat, Terminal } from '@deepseek-ai/dsh-front-door'
import { reserveStdout } from './reserve-stdout.ts'

/** Told of a failure that kept a run from beginning, with what stands on stderr. */
export type OnFailure = (error: unknown, message: string) => Promise<void>

/** Does the work with a stdout of its own, which stays so until the process ends. A front door that has written anything says itself how it ended. */
export async function runForScript(format: OutputFormat, given: Terminal, work: (terminal: Terminal, onFailure: OnFailure) => Promise<ExitCode>): Promise<ExitCode> {
  const { terminal } = reserveStdout(given)
  const { stdout } = terminal
  let hasWritten = false
  const write = stdout.write.bind(stdout)
  stdout.write = ((...args: Parameters<typeof write>) => {
    hasWritten = true
    return write(...args)
  }) as typeof stdout.write
  return await work(terminal, async (error, message) => {
    if (hasWritten) return
    const { failureLine } = await import('@deepseek-ai/dsh-ui-jsonl')
    await new Promise<void>(resolve => {
      stdout.once('error', () => resolve())
      write(failureLine(format, error, message.replace(/^dsh: |\nTry dsh --help\.$/g, '')), () => resolve())
    })
  })
}
