/** The terminal front door: a conversation inline in the terminal's own screen. */

import { join } from 'node:path'
import type { Context } from 'cordis'
import z from 'schemastery'
import type {} from '@deepseek-ai/dsh-agent'
import type {} from '@deepseek-ai/dsh-approval'
import type {} from '@deepseek-ai/dsh-commands'
import { PromptHistory } from '@deepseek-ai/dsh-prompt-history'
import { defaultRoot } from '@deepseek-ai/dsh-session-persistence'
import { serveRun } from '@deepseek-ai/dsh-front-door'
import type { NotifySetting } from '@deepseek-ai/dsh-terminal-attention'
import { registerOwnCommands } from './own-commands.ts'
import { Repl } from './repl.ts'
import { ReplScreen } from './repl-screen.ts'

export const name = 'ui-repl'
export const inject = ['agents', 'approval', 'commands', 'frontDoor']

export interface ReplConfig {
  /** How somebody who looks elsewhere is called when a turn ends or a question waits; the terminal must report its focus. */
  notify: NotifySetting
  /** A turn that took no longer than so many seconds ends without a call. */
  afterSeconds: number
  /** Whether the window gets the title of the session; the one before comes back at the end. */
  title: boolean
  /** How the editor is driven. */
  keys: 'emacs' | 'vi'
  /** Where what was typed is kept; default: `history.jsonl` in the folder of the data. */
  historyFile?: string
}

export const Config: z<ReplConfig> = z.object({
  notify: z.union(['auto', 'off', 'bell', 'osc9', 'osc777'] as const).default('auto'),
  afterSeconds: z.natural().default(10),
  title: z.boolean().default(true),
  keys: z.union(['emacs', 'vi'] as const).default('emacs'),
  historyFile: z.string(),
}) as z<ReplConfig>

export function apply(ctx: Context, config: ReplConfig): void {
  const screen = new ReplScreen(process.env, { ...config, history: historyOf(ctx, config) })
  const repl = new Repl(ctx, screen)
  ctx.effect(() => () => repl.unload(), 'ui-repl screen')
  ctx.effect(() => {
    // Before anybody writes of it: what is written must not stand within the live part.
    const giveBack = (): void => screen.crash()
    process.on('uncaughtExceptionMonitor', giveBack)
    return () => process.off('uncaughtExceptionMonitor', giveBack)
  }, 'ui-repl crash')
  ctx.approval.setAnswerer(repl.answerer)
  registerOwnCommands(ctx, config.keys)
  void serveRun(ctx, () => repl.run())
}

/** A message is on its way to the model by then. */
const HISTORY_WAIT_MS = 50

/** A run of which nothing is to be kept keeps nothing here either. */
function historyOf({ frontDoor }: Context, { historyFile }: ReplConfig): PromptHistory {
  if (frontDoor.request.session?.isStored === false) return new PromptHistory()
  return new PromptHistory({ path: historyFile ?? join(defaultRoot(process.env), 'history.jsonl'), waitMs: HISTORY_WAIT_MS })
}
