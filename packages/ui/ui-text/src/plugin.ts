/** The plain-text front door: one shot (`-p`) or a conversation line by line. */

import type { Context } from 'cordis'
import z from 'schemastery'
import type {} from '@deepseek-ai/dsh-approval'
import { describeError } from '@deepseek-ai/dsh-errors'
import { EXIT, type ExitCode } from '@deepseek-ai/dsh-front-door'
import { answerByLine } from './answer-approvals.ts'
import { converse } from './converse.ts'
import { openLines, type LineReader } from './line-reader.ts'
import { printRun } from './print-run.ts'

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
  const { stdin, stderr } = frontDoor.terminal
  // One shot asks only where somebody sits before both ends.
  const lines = mode === 'conversation' || (stdin.isTTY === true && stderr.isTTY === true) ? openLines(frontDoor.terminal) : undefined
  if (lines) {
    ctx.effect(() => () => lines.close(), 'ui-text lines')
    ctx.approval.setAnswerer(answerByLine((prompt, signal) => lines.ask(prompt, signal)))
  }
  void run(ctx, mode, lines).then(code => frontDoor.finish(code))
}

async function run(ctx: Context, mode: UiTextConfig['mode'], lines: LineReader | undefined): Promise<ExitCode> {
  await ctx.frontDoor.opened
  try {
    return mode === 'conversation' && lines ? await converse(ctx, lines) : await printRun(ctx)
  } catch (error) {
    ctx.frontDoor.terminal.stderr.write(`dsh: ${describeError(error)}\n`)
    return EXIT.error
  }
}
