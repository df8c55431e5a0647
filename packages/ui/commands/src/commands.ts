/** `ctx.commands`: what can be typed after a slash, at whichever front door. */

import { Service, type Context } from 'cordis'
import { HarnessError } from '@deepseek-ai/dsh-errors'
import { nearest } from '@deepseek-ai/dsh-text'
import { renderHelp } from './render-help.ts'
import { runAt } from './run-at.ts'
import type { Command, CommandCall, CommandResult, CommandSource } from './types.ts'

declare module 'cordis' {
  interface Context {
    commands: CommandRegistry
  }
  interface Events {
    /** A command came or went. */
    'commands/change'(): void
  }
}

const SLASHED = /^\s*\/(\S*)\s*([^]*)$/

const NAME = /^[a-z0-9][a-z0-9:_-]{0,63}$/

export class CommandRegistry extends Service {
  static readonly provide = 'commands'

  private readonly known = new Map<string, Command>()
  private readonly sources = new Set<CommandSource>()
  /** The names that there were when somebody last asked for all. */
  private found: ReadonlySet<string> = new Set()

  constructor(ctx: Context) {
    super(ctx, 'commands')
    this.register({ name: 'help', description: 'the commands that there are', run: async (_args, call) => ({ kind: 'show', markdown: renderHelp(await this.available(directoryOf(call), call.signal), call.door) }) })
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

  /** Asks `source` too, until the calling plugin goes. What is registered wins over what a source has. */
  addSource(source: CommandSource): () => void {
    const { sources } = this
    return this.ctx.effect(() => {
      sources.add(source)
      return () => {
        sources.delete(source)
      }
    }, 'commands.addSource()')
  }

  /** The names of those that plugins have registered, aliases left out. */
  registered(): string[] {
    return [...new Set(this.known.values())].map(({ name }) => name).toSorted()
  }

  /** What can be typed in a directory, each command once, by name. */
  async available(cwd: string, signal: AbortSignal): Promise<Command[]> {
    const found = await Promise.all([...this.sources].map(source => source.commands(cwd, signal)))
    const byName = new Map<string, Command>()
    for (const command of [...this.known.values(), ...found.flat()]) if (!byName.has(command.name) && (this.known.get(command.name) ?? command) === command) byName.set(command.name, command)
    this.found = new Set(byName.keys())
    return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** By name or alias. */
  async find(name: string, cwd: string, signal: AbortSignal): Promise<Command | undefined> {
    return this.known.get(name) ?? (await this.available(cwd, signal)).find(command => command.name === name)
  }

  /** Whether a line holds what a command takes for a secret; it is not to be shown again or kept. So is one in which the name of such a command is misspelt. */
  isPrivate(line: string): boolean {
    const { command, args } = this.meant(line)
    return args !== '' && command?.isPrivate === true
  }

  /** Whether what is typed behind a line is probably for a question for a secret. */
  asksSecret(line: string): boolean {
    return this.meant(line).command?.needs === 'askSecret'
  }

  /** Runs what was typed, with or without its slash. Rejects with `UNKNOWN_COMMAND`, naming the one that was probably meant, with `NOT_AT_THIS_DOOR`, and with what the command rejects with. */
  async run(line: string, call: CommandCall): Promise<CommandResult | undefined> {
    const [, name = '', args = ''] = /^\/?(\S*)\s*([^]*)$/.exec(line.trim()) ?? []
    const command = await this.find(name, directoryOf(call), call.signal)
    if (command) return await runAt(command, args, call)
    const meant = nearest(name, (await this.available(directoryOf(call), call.signal)).map(each => each.name))
    throw new HarnessError('UNKNOWN_COMMAND', `there is no command /${name}; ${meant === undefined ? '/help lists them' : `did you mean /${meant}?`}`)
  }

  /** The command that a line names, or the registered one whose name is most like it. */
  private meant(line: string): { command: Command | undefined; args: string } {
    const [, name = '', args = ''] = SLASHED.exec(line) ?? []
    const { known } = this
    if (name === '' || this.found.has(name)) return { command: known.get(name), args }
    return { command: known.get(name) ?? known.get(nearest(name, known.keys()) ?? ''), args }
  }
}

function directoryOf({ agent }: CommandCall): string {
  return agent.session.header.cwd ?? process.cwd()
}
