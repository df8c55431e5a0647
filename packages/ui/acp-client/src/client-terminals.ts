/** Commands in the editor's own terminals, where it offers them. One that cannot be made falls back to a shell of ours. */

import type { TerminalOutputResponse, WaitForTerminalExitResponse } from '@agentclientprotocol/sdk'
import type { Context } from 'cordis'
import type { BashCaller, BashExecSpec, BashRunResult, CollectedOutput } from '@deepseek-ai/dsh-bash'
import { describeError } from '@deepseek-ai/dsh-errors'
import { clipStart } from '@deepseek-ai/dsh-text'
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

/** Undefined when the client gives none. One that comes after nobody waits for it any more is let go of. */
async function open(ctx: Context, options: ClientTerminalsOptions, { sessionId, spec, signal }: Opening): Promise<string | undefined> {
  const { client, timeoutMs, maxOutputBytes } = options
  const program = ctx.get('bash')?.shell?.program ?? '/bin/sh'
  const env = Object.entries({ ...UNATTENDED, ...spec.env }).map(([name, value]) => ({ name, value }))
  const params = { sessionId, command: program, args: ['-c', spec.command], env, cwd: spec.workdir, outputByteLimit: maxOutputBytes }
  const onLate = (answer: { terminalId?: unknown } | null): void => {
    if (typeof answer?.terminalId === 'string') release(options, { sessionId, terminalId: answer.terminalId })
  }
  try {
    const answer: { terminalId?: unknown } | null = await client.request('terminal/create', params, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]), onLate)
    if (typeof answer?.terminalId === 'string') return answer.terminalId
    ctx.logger.warn('the editor names no terminal, so the command runs without')
  } catch (error) {
    signal.throwIfAborted()
    ctx.logger.warn('the editor gives no terminal, so the command runs without: %s', describeError(error))
  }
  return undefined
}

interface Terminal {
  sessionId: string
  terminalId: string
}

/** Requests go out in order, so that nobody has to wait for the answers of these. */
function tell({ client, timeoutMs, onError }: ClientTerminalsOptions, method: 'terminal/kill' | 'terminal/release', terminal: Terminal): void {
  client.request(method, terminal, AbortSignal.timeout(timeoutMs)).catch((error: unknown) => onError(`${method} failed: ${describeError(error)}`))
}

/** Of a terminal whose command nobody waits for. */
function release(options: ClientTerminalsOptions, terminal: Terminal): void {
  tell(options, 'terminal/kill', terminal)
  tell(options, 'terminal/release', terminal)
}

/** One command in one terminal, which is released whatever happens. */
class TerminalRun {
  readonly #options: ClientTerminalsOptions
  readonly #terminal: Terminal

  constructor(options: ClientTerminalsOptions, terminal: Terminal) {
    this.#options = options
    this.#terminal = terminal
  }

  async run(spec: BashExecSpec, { callId, signal }: BashCaller): Promise<BashRunResult> {
    const { sessionId, terminalId } = this.#terminal
    this.#options.onOpened(sessionId, callId, terminalId)
    try {
      const exit = await this.#untilExit(spec.timeoutMs, signal)
      const { output, exitStatus } = await this.#output(signal)
      const timedOut = exit === 'timeout'
      // Both answers may tell how it ended; the one that says that it has ended does first.
      const code = (timedOut ? undefined : exit.exitCode) ?? exitStatus?.exitCode
      const killedBy = (timedOut ? undefined : exit.signal) ?? exitStatus?.signal
      return {
        exitCode: code ?? null,
        signal: killedBy ?? (timedOut ? 'SIGKILL' : null),
        timedOut,
        timeoutMs: spec.timeoutMs,
        workdir: spec.workdir,
        stdout: output,
        stderr: { text: '', truncated: false, totalBytes: 0 },
        stillRunning: false,
        leftProcesses: [],
      }
    } finally {
      // The terminal stays on screen; only its process is let go of. A turn that is stopped does not wait for that.
      tell(this.#options, 'terminal/release', this.#terminal)
    }
  }

  /** Aborted or out of time, the process is killed first. */
  async #untilExit(timeoutMs: number, signal: AbortSignal): Promise<WaitForTerminalExitResponse | 'timeout'> {
    const time = AbortSignal.timeout(timeoutMs)
    try {
      const exit: WaitForTerminalExitResponse | null = await this.#options.client.request('terminal/wait_for_exit', this.#terminal, AbortSignal.any([signal, time]))
      return exit ?? {}
    } catch (error) {
      if (!signal.aborted && !time.aborted) throw lost(error)
      tell(this.#options, 'terminal/kill', this.#terminal)
      signal.throwIfAborted()
      return 'timeout'
    }
  }

  /** A command that has ended has its result, also when its output cannot be had. */
  async #output(signal: AbortSignal): Promise<{ output: CollectedOutput; exitStatus: TerminalOutputResponse['exitStatus'] }> {
    const { client, timeoutMs, maxOutputBytes } = this.#options
    try {
      const answer: Partial<TerminalOutputResponse> | null = await client.request('terminal/output', this.#terminal, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]))
      if (typeof answer?.output !== 'string') throw new TypeError('it answered without text')
      return { output: collected(answer.output, answer.truncated === true, maxOutputBytes), exitStatus: answer.exitStatus }
    } catch (error) {
      signal.throwIfAborted()
      const note = `[the editor did not hand over what its terminal shows: ${describeError(error)}]`
      return { output: { text: note, truncated: true, totalBytes: note.length, spillError: 'the terminal keeps it' }, exitStatus: undefined }
    }
  }
}

function lost(error: unknown): Error {
  return new Error(`the editor's terminal was lost while the command ran: ${describeError(error)}`, { cause: error })
}

/** The two streams of a terminal are one. What was cut is cut from the beginning; how much, the client does not say. */
function collected(output: string, wasCut: boolean, most: number): CollectedOutput {
  const text = clipStart(output, most)
  const truncated = wasCut || text.length < output.length
  return { text, truncated, totalBytes: Buffer.byteLength(output), ...(truncated && { spillError: 'the terminal keeps only the end' }) }
}
