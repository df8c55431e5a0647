/** Reads what was piped into the program, without ever hanging on a pipe that nobody writes to. */

import { fstatSync } from 'node:fs'
import { UsageError } from '@deepseek-ai/dsh-command-line'

/** More than this cannot be meant as a prompt. */
const MOST_BYTES = 10 * 1024 * 1024

/** `process.stdin`, whatever it is connected to. */
export type PipedStream = NodeJS.ReadableStream & { isTTY?: boolean; fd?: number }

export interface PipedInputOptions {
  /** There is a prompt already, so input is only an addition to it. */
  optional: boolean
  /** How long an optional pipe may stay silent before it is taken for one that was merely inherited. */
  patienceMs: number
  /** How long it may fall silent once something has come. */
  idleMs: number
  /** Told once when an optional pipe is given up; whether something had come, which is then used. */
  onGivenUp(hasSome: boolean): void
}

/**
 * Undefined when nothing is piped: a terminal, `/dev/null`, a closed descriptor,
 * or an optional pipe that stayed silent. Throws `UsageError` when it is too
 * large or not text.
 */
export async function readPipedInput(stdin: PipedStream, options: PipedInputOptions): Promise<string | undefined> {
  const kind = kindOfInput(stdin)
  if (kind === 'none') return undefined
  const text = await collect(stdin, options.optional && kind === 'pipe' ? options : undefined)
  return text === undefined || text.trim() === '' ? undefined : text
}

/** Whether there may be anything to read from the process's own input, told without opening it as a stream. */
export function isInputPiped(): boolean {
  return kindOfDescriptor(0) !== 'none'
}

/** To the end of the stream, or until an optional one is given up. */
function collect(stdin: PipedStream, optional: PipedInputOptions | undefined): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve, reject) => {
    let timer = optional && setTimeout(giveUp, optional.patienceMs)
    stdin.on('data', onData)
    stdin.once('end', () => finish(() => resolve(decode(chunks))))
    stdin.once('error', error => finish(() => reject(error)))

    function onData(chunk: Buffer): void {
      clearTimeout(timer)
      timer = optional && setTimeout(giveUp, optional.idleMs)
      chunks.push(chunk)
      size += chunk.length
      if (size > MOST_BYTES) finish(() => reject(new UsageError(`the piped input is larger than ${MOST_BYTES / 1024 / 1024} MiB; put it into a file and name the file in the prompt`)))
    }
    function giveUp(): void {
      optional?.onGivenUp(size > 0)
      finish(() => resolve(size > 0 ? decode(chunks) : undefined))
    }
    function finish(settle: () => void): void {
      clearTimeout(timer)
      stdin.off('data', onData)
      stdin.pause()
      try {
        settle()
      } catch (error) {
        reject(error)
      }
    }
  })
}

function kindOfInput(stdin: PipedStream): 'none' | 'file' | 'pipe' {
  return stdin.isTTY ? 'none' : kindOfDescriptor(stdin.fd ?? 0)
}

function kindOfDescriptor(fd: number): 'none' | 'file' | 'pipe' {
  try {
    const stats = fstatSync(fd)
    if (stats.isFile()) return 'file'
    return stats.isFIFO() || stats.isSocket() ? 'pipe' : 'none'
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EBADF') return 'none'
    throw error
  }
}

function decode(chunks: readonly Buffer[]): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError('the piped input is not UTF-8 text')
    throw error
  }
}
