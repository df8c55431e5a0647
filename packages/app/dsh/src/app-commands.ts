/** `/explain` and `/doctor`: what only the program around a composition knows, at the front doors that take commands. */

import type { Context } from 'cordis'
import type {} from '@deepseek-ai/dsh-commands'
import type { CommandLine } from '@deepseek-ai/dsh-command-line'
import { fenced } from '@deepseek-ai/dsh-text'
import type { Running } from '@deepseek-ai/dsh-composition'

/** A plugin over the composition that runs. */
export function appCommands(line: CommandLine, running: Running) {
  return {
    name: 'app-commands',
    inject: ['commands'],
    apply(ctx: Context): void {
      ctx.commands.register({
        name: 'explain',
        description: 'what runs, and where each value comes from; with a command, what would be said of it',
        argumentHint: '[COMMAND]',
        async run(args, { agent }) {
          const { explainRunning } = await import('./explain-running.ts')
          return { kind: 'show', markdown: fenced(await explainRunning(running, args.trim(), agent)) }
        },
      })
      ctx.commands.register({
        name: 'doctor',
        description: 'whether everything that dsh needs is there',
        async run() {
          const { doctorReport } = await import('./doctor-command.ts')
          const { renderChecks } = await import('@deepseek-ai/dsh-inspection')
          return { kind: 'show', markdown: fenced(renderChecks(await doctorReport(line, process.stdout))) }
        },
      })
    },
  }
}
