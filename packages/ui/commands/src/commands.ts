/** `ctx.commands`: what can be typed after a slash, at whichever front door. */

import { Service, type Context } from 'cordis'
import { HarnessError } from '@deepseek-ai/dsh-errors'
import { nearest } from '@deepseek-ai/dsh-text'
import type { Command, CommandCall, CommandResult } from './types.ts'

declare module 'cordis' {
  interface Context {
    commands: CommandRegistry
  }
  interface Events {
    /** A command came or went. */
    'commands/change'(): void
  }
}

const NAME = /^[a-z0-9][a-z0-9:_-]{0,63}$/

export class CommandRegistry extends Service {
  static readonly provide = 'commands'

  private readonly known = new Map<string, Command>()

  constructor(ctx: Context) {
    super(ctx, 'commands')
  }

  /** Offers a command until the calling plugin goes. Throws `DUPLICATE_COMMAND` when its name or an alias is taken, `INVALID_COMMAND` for one that cannot be typed. */
  register(command: Command): () => void {
    const { known, ctx } = this
    const names = [command.name, ...(command.aliases ?? [])]
    for (const name of names) {
      if (!NAME.test(name)) throw new HarnessError('INVALID_COMMAND', `"${name}" is no name for a command: lower-case letters, digits, "-", "_" and ":"`)
      if (known.has(name)) throw new HarnessError('DUPLICATE_COMMAND', `there is a command /${name} already`)
    }
    const { root } = ctx
    return ctx.effect(() => {
      for (const name of names) known.set(name, command)
      root.emit('commands/change')
      return () => {
        for (const name of names) known.delete(name)
        root.emit('commands/change')
      }
    }, `commands.register(${command.name})`)
  }

  /** Each once, by name. */
  list(): Command[] {
    return [...new Set(this.known.values())].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** By name or alias. */
  get(name: string): Command | undefined {
    return this.known.get(name)
  }

  /** Runs what was typed, with or without its slash. Rejects with `UNKNOWN_COMMAND`, naming the one that was probably meant, and with what the command rejects with. */
  async run(line: string, call: CommandCall): Promise<CommandResult | undefined> {
    const [, name = '', args = ''] = /^\/?(\S*)\s*([^]*)$/.exec(line.trim()) ?? []
    const command = this.known.get(name)
    if (command) return await command.run(args, call)
    const meant = nearest(name, this.known.keys())
    throw new HarnessError('UNKNOWN_COMMAND', `there is no command /${name}; ${meant === undefined ? '/help lists them' : `did you mean /${meant}?`}`)
  }
}
