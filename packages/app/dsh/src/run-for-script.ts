/** What a run whose output a program reads has around it: stdout is the front door's alone, and every failure is a result line. */

import { exitCodeOfSignal, type ExitCode, type Interrupt, type OutputFormat, type Terminal } from '@deepseek-ai/dsh-front-door'
import { reserveStdout } from './reserve-stdout.ts'

/** Told of a failure that kept a run from beginning, with what stands on stderr. */
export type OnFailure = (error: unknown, message: string) => Promise<void>

const SIGNALS: readonly Interrupt[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Does the work with a stdout of its own, which stays so until the process ends. A front door that has written anything says itself how it ended. */
export async function runForScript(format: OutputFormat, given: Terminal, work: (terminal: Terminal, onFailure: OnFailure) => Promise<ExitCode>): Promise<ExitCode> {
  const { terminal } = reserveStdout(given)
  const { stdout } = terminal
  const write = stdout.write.bind(stdout)
  let hasWritten = false
  stdout.write = ((...args: Parameters<typeof write>) => {
    hasWritten = true
    return write(...args)
  }) as typeof stdout.write
  /** Unless somebody has said how it ended, or is about to. */
  const say = async (lineOf: (lines: typeof import('@deepseek-ai/dsh-ui-jsonl')) => string): Promise<void> => {
    if (hasWritten) return
    hasWritten = true
    const lines = await import('@deepseek-ai/dsh-ui-jsonl')
    await new Promise<void>(resolve => {
      stdout.once('error', () => resolve())
      write(lineOf(lines), () => resolve())
    })
  }
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      // While a front door listens too, it is up to that.
      if (process.listenerCount(signal) > 1) return
      void say(({ signalLine }) => signalLine(format, signal)).finally(() => process.exit(exitCodeOfSignal(signal)))
    })
  }
  return await work(terminal, (error, message) => say(({ failureLine }) => failureLine(format, error, message.replace(/^dsh: |\nTry dsh --help\.$/g, ''))))
}
