/**
 * Runs ripgrep as a child: no shell, no inherited secrets, a process group of
 * its own, and always an end: by itself, by its reader's wish, by the time
 * limit, or by the caller's abort.
 */

import { spawn, type ChildProcess } from 'node:child_process'
import { childEnv } from '@deepseek-ai/dsh-process-env'
import { clipEnd } from '@deepseek-ai/dsh-text'
import { RipgrepError } from './errors.ts'
import { findRipgrep } from './find-ripgrep.ts'

/** Complaints beyond this are not read. */
const MOST_STDERR = 64 * 1024

export interface RipgrepConfig {
  /** The ripgrep to run; default: the one that the distribution brings. */
  program?: string
  /** How long one run may take. */
  timeoutMs: number
}

export interface RunOptions {
  cwd: string
  signal: AbortSignal
  /** Less than the configured limit, for a run that only adds a remark. */
  timeoutMs?: number | undefined
  /** Sees the output piece by piece; answering false stops ripgrep. */
  onOutput(chunk: Buffer): boolean
}

/** `exited` with ripgrep's own status, `stopped` by the reader, `timeout` by the clock. What was read before counts. */
export interface RunOutcome {
  kind: 'exited' | 'stopped' | 'timeout'
  /** 0 something found, 1 nothing, 2 an error, perhaps beside results; 0 when it was stopped. */
  status: number
  stderr: string
}

export class Ripgrep {
  readonly timeoutMs: number
  readonly #configured: string | undefined
  #program: Promise<string> | undefined

  constructor({ program, timeoutMs }: RipgrepConfig) {
    this.#configured = program
    this.timeoutMs = timeoutMs
  }

  /**
   * One run. Rejects with the signal's reason after the child is gone, or with
   * `NO_PROGRAM` when it cannot be started, or `SEARCH_FAILED` when somebody
   * else ended it.
   */
  async run(args: readonly string[], options: RunOptions): Promise<RunOutcome> {
    options.signal.throwIfAborted()
    this.#program ??= findRipgrep(this.#configured)
    const program = await this.#program
    options.signal.throwIfAborted()
    // The user's own ripgrep configuration could change what the output looks like.
    const child = spawn(program, ['--no-config', ...args], {
      cwd: options.cwd,
      env: childEnv(process.env),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
    return await follow(child, program, options, Math.min(options.timeoutMs ?? this.timeoutMs, this.timeoutMs))
  }
}

function follow(child: ChildProcess, program: string, { signal, onOutput }: RunOptions, timeoutMs: number): Promise<RunOutcome> {
  return new Promise((resolve, reject) => {
    let kind: RunOutcome['kind'] = 'exited'
    let stderr = ''
    const stop = (why: RunOutcome['kind']): void => {
      kind = why
      kill(child)
    }
    const onAbort = (): void => kill(child)
    const timer = setTimeout(() => stop('timeout'), timeoutMs)
    const settle = (finish: () => void): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      finish()
    }
    signal.addEventListener('abort', onAbort)
    child.stdout?.on('data', (chunk: Buffer) => {
      if (kind === 'exited' && !onOutput(chunk)) stop('stopped')
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr = clipEnd(stderr + chunk.toString(), MOST_STDERR)
    })
    child.on('error', error => settle(() => reject(new RipgrepError('NO_PROGRAM', `cannot run ripgrep (${program}): ${error.message}`, { cause: error }))))
    child.on('close', (status, endedBy) =>
      settle(() => {
        if (signal.aborted) reject(signal.reason)
        else if (kind === 'exited' && status === null) reject(new RipgrepError('SEARCH_FAILED', `ripgrep was ended by ${endedBy}`))
        else resolve({ kind, status: status ?? 0, stderr })
      }),
    )
  })
}

/** The whole group, because a configured program may be a wrapper. */
function kill(child: ChildProcess): void {
  if (child.pid === undefined) return
  if (process.platform === 'win32') {
    child.kill('SIGKILL')
    return
  }
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch (error) {
    // Gone already: there is nothing left to stop.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
