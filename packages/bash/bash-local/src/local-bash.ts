/** `ctx.bash` on this machine: every command in a fresh shell, in a session of its own, within bounds. */

import { setMaxListeners } from 'node:events'
import { tmpdir } from 'node:os'
import type { Context } from 'cordis'
import z from 'schemastery'
import { BashError, BashExecutor, type BashExecRequest, type BashExecSpec, type BashLimits, type BashOutputListener, type BashRunResult, type BashShell, type LeftProcess } from '@deepseek-ai/dsh-bash'
import { childEnv } from '@deepseek-ai/dsh-process-env'
import { awaitCommand } from './await-command.ts'
import { findShell } from './find-shell.ts'
import { PipePool } from './pipe-pool.ts'
import { ScratchDir } from './scratch-dir.ts'
import { ShellCommand } from './shell-command.ts'
import { explainSpawnError } from './spawn-error.ts'
import { currentDirectory, isDirectory, nearestDirectory, resolveWorkdir } from './workdir.ts'

/** What `setTimeout` can wait. */
const LONGEST_TIMEOUT_MS = 2_147_483_647

export interface LocalBashConfig {
  /** The shell, by path or by name. Default: the first bash, else sh. */
  shell?: string
  /** Where commands run when the caller stands nowhere. Default: where the process was started. */
  cwd?: string
  /** For commands that ask for none. */
  timeoutMs: number
  /** The most that a command may ask for. */
  maxTimeoutMs: number
  /** Bytes of each stream that a result holds. */
  maxOutputBytes: number
  /** From SIGTERM to SIGKILL: after a timeout and at unload, and after a cancellation. */
  killGraceMs: number
  abortGraceMs: number
  /** How long a command's output may stay open after its shell has ended. */
  drainMs: number
  /** The environment of commands: what is added, and what passes or is left out in spite of the rules. */
  env: { extra: Record<string, string>; keep: string[]; drop: string[] }
  /** Files with output that a result does not hold. */
  spill: { root?: string; maxBytes: number; maxFiles: number; maxTotalBytes: number; maxAgeMs: number }
}

export class LocalBash extends BashExecutor {
  static Config: z<LocalBashConfig> = z.object({
    shell: z.string(),
    cwd: z.string(),
    timeoutMs: z.number().min(1).max(LONGEST_TIMEOUT_MS).default(120_000),
    maxTimeoutMs: z.number().min(1).max(LONGEST_TIMEOUT_MS).default(600_000),
    maxOutputBytes: z.number().min(1).default(64_000),
    killGraceMs: z.number().min(0).default(1_500),
    abortGraceMs: z.number().min(0).default(100),
    drainMs: z.number().min(0).default(100),
    env: z.object({
      extra: z.dict(z.string()).default({}),
      keep: z.array(z.string()).default([]),
      drop: z.array(z.string()).default([]),
    }),
    spill: z.object({
      root: z.string(),
      maxBytes: z.number().min(1).default(64 * 1024 * 1024),
      maxFiles: z.number().min(2).default(40),
      maxTotalBytes: z.number().min(1).default(256 * 1024 * 1024),
      maxAgeMs: z.number().min(0).default(24 * 60 * 60 * 1000),
    }),
  })

  private readonly config: LocalBashConfig
  private readonly home: string
  private readonly scratch: ScratchDir
  private readonly pipes: PipePool
  private readonly disposal = new AbortController()
  private readonly instance = `${process.pid}-${Math.random().toString(36).slice(2, 10)}`
  private started = 0
  private hasWarned = false
  private readonly running = new Set<ShellCommand>()
  /** What commands left behind on purpose (`server &`): it lives until this executor goes. */
  private readonly left = new Set<ShellCommand>()
  private found: BashShell | undefined

  constructor(ctx: Context, config: LocalBashConfig) {
    super(ctx)
    this.config = config
    this.home = config.cwd ?? currentDirectory()
    const { root = tmpdir(), maxBytes, maxFiles, maxTotalBytes, maxAgeMs } = config.spill
    this.scratch = new ScratchDir({ root, maxSpillBytes: maxBytes, maxSpillFiles: maxFiles, maxSpillTotalBytes: maxTotalBytes, maxSpillAgeMs: maxAgeMs, onStaleError: error => ctx.logger.warn('could not remove the output of an earlier run: %s', error) })
    this.pipes = new PipePool({ directory: () => this.scratch.ensure(), searchPath: () => this.environment()['PATH'] ?? '' })
    setMaxListeners(0, this.disposal.signal) // one for every running command
    ctx.effect(() => {
      const onExit = () => this.killAll()
      process.on('exit', onExit)
      return async () => {
        await this.close()
        process.off('exit', onExit)
      }
    }, 'bash-local')
  }

  /** Looked for again as long as there is none: it may be installed meanwhile. */
  get shell(): BashShell | undefined {
    this.found ??= findShell(this.environment()['PATH'] ?? '', this.config.shell)
    return this.found
  }

  get limits(): BashLimits {
    const { timeoutMs, maxTimeoutMs } = this.config
    return { timeoutMs: Math.min(timeoutMs, maxTimeoutMs), maxTimeoutMs }
  }

  resolve({ command, workdir, cwd, timeoutMs, stdin, env }: BashExecRequest): BashExecSpec {
    if (command.trim() === '') throw new BashError('BASH_INVALID_COMMAND', 'the command is empty')
    if (command.includes('\0')) throw new BashError('BASH_INVALID_COMMAND', 'the command contains a NUL character, which no shell can take')
    if (workdir?.includes('\0')) throw new BashError('BASH_INVALID_REQUEST', 'the working directory contains a NUL character')
    const wanted = timeoutMs ?? this.config.timeoutMs
    if (!(wanted > 0) || !Number.isFinite(wanted)) throw new BashError('BASH_INVALID_REQUEST', `a time limit of ${wanted} ms is not possible`)
    const base = resolveWorkdir(this.home, cwd ?? '.')
    return {
      command,
      workdir: workdir === undefined ? base : resolveWorkdir(base, workdir),
      workdirPolicy: workdir === undefined ? 'nearest' : 'exact',
      timeoutMs: Math.min(wanted, this.config.maxTimeoutMs),
      ...(stdin !== undefined && { stdin }),
      ...(env && { env }),
    }
  }

  async run(spec: BashExecSpec, signal: AbortSignal, onOutput?: BashOutputListener): Promise<BashRunResult> {
    signal.throwIfAborted()
    const command = await this.start(spec, onOutput)
    this.running.add(command)
    try {
      const { killGraceMs, abortGraceMs, drainMs } = this.config
      const limits = { timeoutMs: spec.timeoutMs, killGraceMs, abortGraceMs, drainMs }
      const { code, signal: endedBy, ...ending } = await awaitCommand(command, limits, [signal, this.disposal.signal])
      this.prune()
      if (ending.stillRunning) this.leave(command)
      return { exitCode: code, signal: endedBy, timeoutMs: spec.timeoutMs, workdir: command.workdir, ...ending, ...command.collected() }
    } finally {
      this.running.delete(command)
      if (!this.left.has(command)) command.release()
    }
  }

  override leftProcesses(): LeftProcess[] {
    this.prune()
    return [...this.left].flatMap(command => command.processes.living({ escaped: !command.isDrained }))
  }

  private async start(spec: BashExecSpec, onOutput: BashOutputListener | undefined): Promise<ShellCommand> {
    this.disposal.signal.throwIfAborted()
    const { shell } = this
    if (!shell) throw this.noShell()
    const options = {
      shell,
      command: spec.command,
      workdir: spec.workdir,
      env: { ...this.environment(), ...spec.env },
      ...(spec.stdin !== undefined && { stdin: spec.stdin }),
      ...(onOutput && { onOutput }),
      id: `${this.instance}-${++this.started}`,
      maxOutputBytes: this.config.maxOutputBytes,
      scratch: this.scratch,
      pipes: this.pipes,
      onNoPipes: (error: unknown) => this.warnOnce(error),
    }
    try {
      return await ShellCommand.start(options)
    } catch (error) {
      // The system reports a missing directory as a missing program, so this is asked first.
      if (spec.workdirPolicy === 'exact' || isDirectory(spec.workdir)) throw explainSpawnError(error, shell, spec)
      const workdir = nearestDirectory(spec.workdir)
      return await ShellCommand.start({ ...options, workdir }).catch((again: unknown) => {
        throw explainSpawnError(again, shell, { ...spec, workdir })
      })
    }
  }

  private environment(): Record<string, string> {
    return childEnv(process.env, this.config.env)
  }

  private leave(command: ShellCommand): void {
    command.unref()
    this.left.add(command)
  }

  /** Forgets what has ended by itself, so that its number is not taken for somebody else's. */
  private prune(): void {
    for (const command of this.left) {
      if (command.isDrained && !command.processes.groupExists()) this.left.delete(command)
    }
  }

  private async close(): Promise<void> {
    this.disposal.abort(new BashError('BASH_DISPOSED', 'the shell was unloaded while the command ran'))
    this.prune()
    const { killGraceMs } = this.config
    const stops = [...this.running].map(command => command.processes.stop(this.config.abortGraceMs))
    const ends = [...this.left].map(command => command.processes.stop(killGraceMs, { escaped: !command.isDrained }))
    await Promise.all([...stops, ...ends])
    for (const command of this.left) command.release()
    this.left.clear()
    this.scratch.remove()
  }

  /** The process is ending and nothing asynchronous will run any more. */
  private killAll(): void {
    for (const command of this.running) command.processes.signal('SIGKILL')
    for (const command of this.left) command.processes.signal('SIGKILL', { escaped: !command.isDrained })
    this.scratch.remove()
  }

  private noShell(): BashError {
    const { shell } = this.config
    if (shell !== undefined) return new BashError('BASH_NO_SHELL', `the configured shell ${shell} does not exist or cannot be executed`)
    const hint = process.platform === 'win32' ? '; on Windows, run dsh inside WSL2' : ''
    return new BashError('BASH_NO_SHELL', `there is neither bash nor sh on the search path (${this.environment()['PATH'] ?? ''}) or in the usual places${hint}`)
  }

  private warnOnce(error: unknown): void {
    if (this.hasWarned) return
    this.hasWarned = true
    this.ctx.logger.warn('commands get sockets instead of pipes and cannot open /dev/stdout by name: %s', error)
  }
}
