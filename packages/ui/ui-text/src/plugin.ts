/** The plain-text front door: one shot (`-p`) or a conversation line by line. */

import type { Context } from 'cordis'
import z from 'schemastery'
import type {} from '@deepseek-ai/dsh-approval'
import { serveRun } from '@deepseek-ai/dsh-front-door'
import { aboutSecrets } from './about-secrets.ts'
import { converse } from './converse.ts'
import { openLines } from './line-reader.ts'
import { printRun } from './print-run.ts'
import { terminalAnswerer } from './terminal-answerer.ts'

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
    const keys = frontDoor.takeKeys()
    const lines = openLines(terminal, (frontDoor.takeDraft() ?? '') + keys)
    ctx.effect(() => () => {
      frontDoor.leaveDraft(lines.typed)
      lines.close()
      frontDoor.keepKeys()
    }, 'ui-text lines')
    ctx.effect(() => frontDoor.tellThrough(text => lines.print(text)), 'ui-text told lines')
    ctx.approval.setAnswerer(terminalAnswerer(ctx, async (prompt, signal) => {
      const line = await lines.ask(prompt, signal, aboutSecrets(ctx))
      // A command that is typed here is an answer like any other, and asks for nothing.
      lines.secretOver()
      return line
    }))
    void serveRun(ctx, () => converse(ctx, lines))
    return
  }
  // One shot asks only where somebody sits before both ends, and holds the terminal only while it asks.
  if (terminal.stderr.isTTY === true && terminal.stdin.isTTY === true) {
    ctx.approval.setAnswerer(terminalAnswerer(ctx, (prompt, signal) => askOnce(ctx, prompt, signal)))
  }
  void serveRun(ctx, () => printRun(ctx))
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
