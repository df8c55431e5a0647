/**
 * Running shell commands as the agent sees it. This package is the seam: it
 * owns `ctx.bash` and does not start anything itself.
 */

import { Service, type Context } from 'cordis'
import type { BashExecRequest, BashExecSpec, BashLimits, BashOutputListener, BashRunResult, BashShell, LeftProcess } from './types.ts'

declare module 'cordis' {
  interface Context {
    bash: BashExecutor
  }
}

/**
 * Subclass it, load the subclass as a plugin, and it becomes `ctx.bash`. Every
 * subclass must pass the suite in `tests/contract.ts`.
 *
 * `resolve` and `run` are apart so that a policy can look at what would run
 * before it does. Commands that outlive their call will get a `start(spec)`
 * beside `run`, over the same specs.
 */
export abstract class BashExecutor extends Service {
  static readonly provide = 'bash'

  constructor(ctx: Context) {
    super(ctx, 'bash')
  }

  /** The shell that commands run in; undefined when there is none, and then `run` rejects with `BASH_NO_SHELL`. */
  abstract readonly shell: BashShell | undefined

  /** The time limits that `resolve` applies. */
  abstract readonly limits: BashLimits

  /** Fills in the defaults without touching the disk. Throws `BASH_INVALID_COMMAND` and `BASH_INVALID_REQUEST`. */
  abstract resolve(request: BashExecRequest): BashExecSpec

  /**
   * Runs one command in a fresh shell, without a terminal and without start-up
   * files, and resolves when the shell has ended, whatever it left behind.
   *
   * A non-zero exit or a timeout is a result. Rejects with `BashError`, or with
   * the signal's own reason once the aborted command's processes are dead.
   * `onOutput` hears what the command writes until then; it must not throw.
   */
  abstract run(spec: BashExecSpec, signal: AbortSignal, onOutput?: BashOutputListener): Promise<BashRunResult>

  /** What commands that have ended left running, as far as it lives; it ends with this executor. */
  leftProcesses(): LeftProcess[] {
    return []
  }
}
