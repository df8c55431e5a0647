/** The plain-text front door: one shot (`-p`) or a conversation line by line. */

import type { Context } from 'cordis'
import z from 'schemastery'
import type {} from '@deepseek-ai/dsh-approval'
import { describeSessionError, exitCodeOfError, exitCodeOfSignal, type ExitCode, type Interrupt, type RunRequest } from '@deepseek-ai/dsh-front-door'
import { stripControls } from '@deepseek-ai/dsh-text'
import { answerByLine } from './answer-approvals.ts'
import { converse } from './converse.ts'
import { openLines } from './line-reader.ts'
import { printRun } from './print-run.ts'
import { untilReady } from './until-ready.ts'

export const name = 'ui-text'
export const inject = ['agents', 'approval', 'frontDoor']

export interface UiTextConfig {
  mode: 'print' | 'conversation'
}

export const Config: z<UiTextConfig> = z.object({
  mode: z.union(['print', 'conversation'] as const).default('conversation'),
}) as z<UiTextConfig>

export function apply(ctx: Context, { mode }: UiTextConfig): void {
  const { frontDoor } = ctx
  const { terminal } = frontDoor
  if (mode === 'conversation') {
    const lines = openLines(terminal)
    ctx.effect(() => () => lines.close(), 'ui-text lines')
    ctx.effect(() => frontDoor.tellThrough(text => lines.print(text)), 'ui-text told lines')
    ctx.approval.setAnswerer(answerByLine((prompt, signal) => lines.ask(prompt, signal)))
    void run(ctx, () => converse(ctx, lines))
    return
  }
  // One shot asks only where somebody sits before both ends, and holds the terminal only while it asks.
  if (terminal.stderr.isTTY === true && terminal.stdin.isTTY === true) {
    ctx.approval.setAnswerer(answerByLine((prompt, signal) => askOnce(ctx, prompt, signal)))
  }
  void run(ctx, () => printRun(ctx))
}

async function askOnce({ frontDoor }: Context, prompt: string, signal: AbortSignal): Promise<string> {
  const lines = openLines(frontDoor.terminal)
  lines.onInterrupt(() => frontDoor.interrupt('SIGINT'))
  try {
    return await lines.ask(prompt, signal)
  } finally {
    lines.close()
  }
}

/** Says with which code the process ends; says nothing when this plugin was unloaded meanwhile, for another may take its place. */
async function run(ctx: Context, work: () => Promise<ExitCode>): Promise<void> {
  const { frontDoor } = ctx
  const life = new AbortController()
  ctx.effect(() => () => life.abort(), 'ui-text run')
  const stoppedBy = await untilBegin(ctx)
  if (life.signal.aborted) return
  let code: ExitCode
  try {
    code = stoppedBy === undefined ? await work() : exitCodeOfSignal(stoppedBy)
  } catch (error) {
    frontDoor.terminal.stderr.write(`dsh: ${stripControls(describeSessionError(error, storedIdOf(frontDoor.request)))}\n`)
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
  let stoppedBy: Interrupt | undefined
  const off = ctx.on('front-door/interrupt', signal => {
    stoppedBy ??= signal
  })
  await frontDoor.opened
  await untilReady(agents)
  off()
  return stoppedBy
}
