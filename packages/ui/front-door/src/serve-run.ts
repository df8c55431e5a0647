/** The frame around every front door's work: when it may begin, and with which code the process ends. */

import type { Context } from 'cordis'
import type {} from '@deepseek-ai/dsh-agent'
import { stripControls } from '@deepseek-ai/dsh-text'
import { describeSessionError } from './describe-session-error.ts'
import { exitCodeOfError, exitCodeOfSignal, type ExitCode } from './exit-code.ts'
import type {} from './front-door.ts'
import type { Interrupt, RunRequest } from './types.ts'
import { untilReady } from './until-ready.ts'
import { wrapFor } from './wrap-for.ts'

/** What a front door does when a run ends without its work being done. Neither may reject. */
export interface RunEndings {
  /** A signal came before the work began. */
  stopped?(signal: Interrupt): Promise<void>
  /** The work failed; `message` is what stands on stderr. */
  failed?(error: unknown, message: string): Promise<void>
}

/**
 * Does the work of the calling front door once the composition is up, and says
 * with which code the process ends: the work's own, that of a signal that came
 * before it, or that of its failure, which is told on stderr. Says nothing when
 * the plugin was unloaded meanwhile, for another may take its place.
 * `endings` are for front doors that say more of an end without work than its code.
 */
export async function serveRun(ctx: Context, work: () => Promise<ExitCode>, endings: RunEndings = {}): Promise<void> {
  const { frontDoor } = ctx
  const life = new AbortController()
  ctx.effect(() => () => life.abort(), 'front door run')
  const stoppedBy = await untilBegin(ctx)
  if (life.signal.aborted) return
  let code: ExitCode
  try {
    if (stoppedBy !== undefined) await endings.stopped?.(stoppedBy)
    code = stoppedBy === undefined ? await work() : exitCodeOfSignal(stoppedBy)
  } catch (error) {
    const message = describeSessionError(error, storedIdOf(frontDoor.request))
    frontDoor.release()
    frontDoor.terminal.stderr.write(wrapFor(frontDoor.terminal, `dsh: ${stripControls(message)}\n`))
    await endings.failed?.(error, message)
    code = exitCodeOfError(error)
  }
  if (!life.signal.aborted) frontDoor.finish(code)
}

/** The stored session that the run wants. */
function storedIdOf({ session }: RunRequest): string | undefined {
  const start = session?.start
  return start?.kind === 'resume' ? start.id : start?.kind === 'fork' ? start.from : undefined
}

/** Waits until work may begin; the signal that came before, if one did. */
async function untilBegin(ctx: Context): Promise<Interrupt | undefined> {
  // Read now: afterwards this plugin may have been unloaded.
  const { agents, frontDoor } = ctx
  let stoppedBy = frontDoor.endedBy
  const off = ctx.on('front-door/interrupt', signal => {
    stoppedBy ??= signal
  })
  await frontDoor.opened
  await untilReady(agents)
  off()
  return stoppedBy
}
