/** `/` commands as an editor types them: the list that it may complete from, and what becomes of a prompt that is one. */

import type { AvailableCommand, ContentBlock as AcpBlock } from '@agentclientprotocol/sdk'
import type { Context } from 'cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { runAt, type Command, type CommandResult } from '@deepseek-ai/dsh-commands'

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
    return found?.filter(isForEditors).map(({ name, description, argumentHint }) => ({ name, description, ...(argumentHint !== undefined && { input: { hint: argumentHint } }) }))
  }

  /** Whether the prompt may be a command; what is not may go to the model at once. */
  mayBe(blocks: readonly AcpBlock[]): boolean {
    return this.#ctx.get('commands') !== undefined && lineOf(blocks) !== undefined
  }

  /** Undefined for a prompt that only looks like one, such as a path. */
  async find(blocks: readonly AcpBlock[], signal: AbortSignal): Promise<SlashCall | undefined> {
    const line = lineOf(blocks)
    const command = line && (await this.#ctx.get('commands')?.find(line.name, this.#cwd, signal))
    // A secret that was typed behind one must not become a message.
    return command && (isForEditors(command) || command.isPrivate) ? { command, args: line.args } : undefined
  }

  /** Rejects with what the command rejects with. */
  async run({ command, args }: SlashCall, signal: AbortSignal): Promise<CommandResult | undefined> {
    return await runAt(command, args, { agent: this.#agent, door: {}, signal })
  }

  get #cwd(): string {
    return this.#agent.session.header.cwd ?? process.cwd()
  }
}

/** What changes the session that is shown, or needs a terminal, an editor has its own ways for. */
function isForEditors({ needs }: Command): boolean {
  return needs === undefined
}

/** Of a prompt that begins with text that begins with a command; links in it are a part of its arguments. */
function lineOf(blocks: readonly AcpBlock[]): { name: string; args: string } | undefined {
  const texts = blocks.flatMap(block => (block.type === 'text' ? [block.text] : block.type === 'resource_link' ? [block.uri] : []))
  const [, name, args = ''] = /^\/([a-z0-9][a-z0-9:_-]{0,63})(?:\s+([^]*))?$/.exec(blocks[0]?.type === 'text' ? texts.join('').trim() : '') ?? []
  return name === undefined ? undefined : { name, args }
}
