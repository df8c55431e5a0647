/** The terminal front door: a conversation inline in the terminal's own screen. */

import type { Context } from 'cordis'
import type {} from '@deepseek-ai/dsh-agent'
import type {} from '@deepseek-ai/dsh-approval'
import type {} from '@deepseek-ai/dsh-commands'
import { serveRun } from '@deepseek-ai/dsh-front-door'
import { registerOwnCommands } from './own-commands.ts'
import { Repl } from './repl.ts'
import { ReplScreen } from './repl-screen.ts'

export const name = 'ui-repl'
export const inject = ['agents', 'approval', 'commands', 'frontDoor']

export function apply(ctx: Context): void {
  const screen = new ReplScreen(process.env)
  const repl = new Repl(ctx, screen)
  ctx.effect(() => () => screen.stop(), 'ui-repl screen')
  ctx.approval.setAnswerer(repl.answerer)
  registerOwnCommands(ctx)
  void serveRun(ctx, () => repl.run())
}
