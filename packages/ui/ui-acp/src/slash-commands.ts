/** `/` commands as an editor types them: the list that it may complete from, and what becomes of a prompt that is one. */

import type { AvailableCommand, ContentBlock as AcpBlock } from '@agentclientprotocol/sdk'
import type { Context } from 'cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { Command, CommandResult } from '@deepseek-ai/dsh-commands'

/** What changes which session an editor shows, or what only a terminal has: an editor has its own ways. */
const NOT_FOR_EDITORS: ReadonlySet<string> = new Set(['clear', 'copy', 'exit', 'fork', 'new', 'quit', 'resume'])

export interface SlashCall {
  command: Command
  args: string
}

export class SlashCommands {
  readonly #ctx: Context
  readonly #agent: Agent

  constructor(ctx: Context, agent: Agent) {
    this.#ctx = ctx
    this.#agent = agent
  }

  /** Undefined where the composition has no commands. */
  async list(signal: AbortSignal): Promise<AvailableCommand[] | undefined> {
    const found = await this.#ctx.get('commands')?.available(this.#cwd, signal)
    return found?.filter(({ name }) => !NOT_FOR_EDITORS.has(name)).map(({ name, description, argumentHint }) => ({ name, description, ...(argumentHint !== undefined && { input: { hint: argumentHint } }) }))
  }

  /** Whether the prompt may be a command; what is not may go to the model at once. */
  mayBe(blocks: readonly AcpBlock[]): boolean {
    return this.#ctx.get('commands') !== undefined && lineOf(blocks) !== undefined
  }

  /** Undefined for a prompt that only looks like one, such as a path. */
  async find(blocks: readonly AcpBlock[], signal: AbortSignal): Promise<SlashCall | undefined> {
    const line = lineOf(blocks)
    if (line === undefined || NOT_FOR_EDITORS.has(line.name)) return undefined
    const command = await this.#ctx.get('commands')?.find(line.name, this.#cwd, signal)
    return command && { command, args: line.args }
  }

  /** Rejects with what the command rejects with. */
  async run({ command, args }: SlashCall, signal: AbortSignal): Promise<CommandResult | undefined> {
    return await command.run(args, { agent: this.#agent, door: {}, signal })
  }

  get #cwd(): string {
    return this.#agent.session.header.cwd ?? process.cwd()
  }
}

/** Of a prompt that begins with text that begins with a command; links in it are a part of its arguments. */
function lineOf(blocks: readonly AcpBlock[]): { name: string; args: string } | undefined {
  const texts = blocks.flatMap(block => (block.type === 'text' ? [block.text] : block.type === 'resource_link' ? [block.uri] : []))
  const [, name, args = ''] = /^\/([a-z0-9][a-z0-9:_-]{0,63})(?:\s+([^]*))?$/.exec(blocks[0]?.type === 'text' ? texts.join('').trim() : '') ?? []
  return name === undefined ? undefined : { name, args }
}
