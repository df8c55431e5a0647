/** How the process ends: once, with everything written, and never by an error that nobody saw. */

import { describeError } from '@deepseek-ai/dsh-errors'

/** Output that is not taken off our hands by then is lost with its reader. */
const FLUSH_MS = 2000

/** Errors that no one awaits are reported; a reader that has gone ends the process quietly. */
export function watchProcess(): void {
  process.on('uncaughtException', error => {
    process.stderr.write(`dsh: internal error: ${describeError(error)}\n${error instanceof Error ? error.stack : ''}\n`)
    process.exit(1)
  })
  process.on('unhandledRejection', reason => {
    process.stderr.write(`dsh: internal error (a rejection that nobody handled): ${describeError(reason)}\n`)
  })
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // `dsh … | head` has what it wanted.
      process.exit(error.code === 'EPIPE' ? 0 : 1)
    })
  }
}

/** Exits with `code` when stdout and stderr have been handed over. */
export async function endProcess(code: number): Promise<void> {
  await Promise.race([Promise.all([drained(process.stdout), drained(process.stderr)]), new Promise(resolve => setTimeout(resolve, FLUSH_MS).unref())])
  process.exit(code)
}

function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise(resolve => {
    if (stream.writableLength === 0) resolve()
    else stream.write('', () => resolve())
  })
}
