/** How the process ends: once, with everything written, and never by an error that nobody saw. */

import { describeError } from '@deepseek-ai/dsh-errors'

/** How long a reader may keep the end of a process that has failed waiting. */
const LAST_WORDS_MS = 2000

/** What has been noticed of the process's own streams. */
export interface Output {
  /** Why stdout could not be written; absent when its reader has merely gone. */
  failure?: Error
  /** Shows diagnostics while a front door has the terminal; absent: they go to stderr. */
  tell?: (text: string) => void
  /** What a front door still has to say when the process ends by an error that nobody caught. */
  lastWords?: (error: unknown, message: string) => Promise<void>
}

/**
 * Errors that no one awaits are reported. A stream whose reader has gone stops
 * nothing: `dsh … | head` has what it wanted, and work goes on when only the
 * diagnostics are not read any more.
 */
export function watchProcess(): Output {
  const output: Output = {}
  process.on('uncaughtException', error => {
    process.stderr.write(`dsh: internal error: ${describeError(error)}\n${error instanceof Error ? error.stack : ''}\n`)
    void sayLastWords(output, error)
  })
  process.on('unhandledRejection', reason => {
    const text = `dsh: internal error (a rejection that nobody handled): ${describeError(reason)}\n`
    if (output.tell) output.tell(text)
    else process.stderr.write(text)
  })
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') output.failure ??= error
  })
  // Where diagnostics cannot be written, that cannot be told either.
  process.stderr.on('error', () => undefined)
  return output
}

/** Ends the process once they are said, or have taken too long. */
async function sayLastWords({ lastWords }: Output, error: unknown): Promise<void> {
  if (lastWords) setTimeout(() => process.exit(1), LAST_WORDS_MS)
  try {
    await lastWords?.(error, `internal error: ${describeError(error)}`)
  } finally {
    process.exit(1)
  }
}

/** Exits with `code` when stdout and stderr have been taken off our hands, however slowly; with 1 instead of 0 when stdout could not be written. */
export async function endProcess(code: number, output: Output): Promise<void> {
  const { stdout, stderr } = process
  await drained(stdout)
  const { failure } = output
  if (failure) stderr.write(`dsh: the output could not be written: ${describeError(failure)}\n`)
  await drained(stderr)
  process.exit(failure && code === 0 ? 1 : code)
}

function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise(resolve => {
    if (stream.destroyed || stream.writableLength === 0) resolve()
    else stream.write('', () => resolve())
  })
}
