/** Commands in the editor's own terminals, where it offers them. One that cannot be made falls back to a shell of ours. */

import type { TerminalOutputResponse } from '@agentclientprotocol/sdk'
import type { Context } from 'cordis'
import type { BashCaller, BashExecSpec, BashRunResult, CollectedOutput } from '@deepseek-ai/dsh-bash'
import { describeError } from '@deepseek-ai/dsh-errors'
import type { ClientOffers } from './client-offers.ts'
import type { Client } from './client.ts'

export interface ClientTerminalsOptions {
  client: Client
  offers(): ClientOffers
  /** Whether the session belongs to this connection. */
  isOurs(sessionId: string): boolean
  /** The call's output is shown by that terminal from now on. */
  onOpened(sessionId: string, callId: string, terminalId: string): void
  timeoutMs: number
  maxOutputBytes: number
  onError(message: string): void
}

/** Nobody can page, edit or answer in a terminal that a model uses. */
const UNATTENDED = { PAGER: 'cat', GIT_PAGER: 'cat', MANPAGER: 'cat', GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: 'false', EDITOR: 'false', VISUAL: 'false' }

export function serveClientTerminals(ctx: Context, options: ClientTerminalsOptions): void {
  ctx.on('bash/run', async (spec, caller, next) => {
    const { sessionId } = caller
    // Input is something that terminals do not take.
    if (sessionId === undefined || !options.isOurs(sessionId) || !options.offers().terminals || spec.stdin !== undefined) return await next()
    const terminalId = await open(ctx, options, { sessionId, spec, signal: caller.signal })
    return terminalId === undefined ? await next() : await new TerminalRun(options, { sessionId, terminalId }).run(spec, caller)
  })
}

interface Opening {
  sessionId: string
  spec: BashExecSpec
  signal: AbortSignal
}

/** Undefined when the client gives none. */
async function open(ctx: Context, { client, timeoutMs, maxOutputBytes }: ClientTerminalsOptions, { sessionId, spec, signal }: Opening): Promise<string | undefined> {
  const program = ctx.get('bash')?.shell?.program ?? '/bin/sh'
  const env = Object.entries({ ...UNATTENDED, ...spec.env }).map(([name, value]) => ({ name, value }))
  try {
    const params = { sessionId, command: program, args: ['-c', spec.command], env, cwd: spec.workdir, outputByteLimit: maxOutputBytes }
    const { terminalId } = await client.request('terminal/create', params, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]))
    return terminalId
  } catch (error) {
    signal.throwIfAborted()
    ctx.logger.warn('the editor gives no terminal, so the command runs without: %s', describeError(error))
    return undefined
  }
}

/** One command in one terminal, which is released whatever happens. */
class TerminalRun {
  readonly #options: ClientTerminalsOptions
  readonly #terminal: { sessionId: string; terminalId: string }

  constructor(options: ClientTerminalsOptions, terminal: { sessionId: string; terminalId: string }) {
    this.#options = options
    this.#terminal = terminal
  }

  async run(spec: BashExecSpec, { callId, signal }: BashCaller): Promise<BashRunResult> {
    const { sessionId, terminalId } = this.#terminal
    this.#options.onOpened(sessionId, callId, terminalId)
    try {
      const timedOut = await this.#untilExit(spec.timeoutMs, signal)
      const output = await this.#output()
      const { exitStatus } = output
      return {
        exitCode: exitStatus?.exitCode ?? null,
        signal: exitStatus?.signal ?? (timedOut ? 'SIGKILL' : null),
        timedOut,
        timeoutMs: spec.timeoutMs,
        workdir: spec.workdir,
        stdout: collected(output),
        stderr: { text: '', truncated: false, totalBytes: 0 },
        stillRunning: false,
        leftProcesses: [],
      }
    } finally {
      // The terminal stays on screen; only its process is let go of. A turn that is stopped does not wait for that.
      this.#tell('terminal/release')
    }
  }

  /** True when the time was up. Aborted, the process is killed first. */
  async #untilExit(timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    const time = AbortSignal.timeout(timeoutMs)
    try {
      await this.#options.client.request('terminal/wait_for_exit', this.#terminal, AbortSignal.any([signal, time]))
      return false
    } catch (error) {
      if (!signal.aborted && !time.aborted) throw error
      this.#tell('terminal/kill')
      signal.throwIfAborted()
      return true
    }
  }

  async #output(): Promise<TerminalOutputResponse> {
    return await this.#options.client.request('terminal/output', this.#terminal, AbortSignal.timeout(this.#options.timeoutMs))
  }

  /** Requests go out in order, so that nobody has to wait for the answers of these. */
  #tell(method: 'terminal/kill' | 'terminal/release'): void {
    const { client, timeoutMs, onError } = this.#options
    client.request(method, this.#terminal, AbortSignal.timeout(timeoutMs)).catch((error: unknown) => onError(`${method} failed: ${describeError(error)}`))
  }
}

/** The two streams of a terminal are one. What was cut is cut from the beginning; how much, the client does not say. */
function collected({ output, truncated }: TerminalOutputResponse): CollectedOutput {
  const bytes = Buffer.byteLength(output)
  return { text: output, truncated, totalBytes: bytes, ...(truncated && { spillError: 'the terminal keeps only the end' }) }
}
