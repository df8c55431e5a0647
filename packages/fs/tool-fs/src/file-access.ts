/** What the three tools share: who acts, and telling the policies what was seen. */

import type { Context } from 'cordis'
import { ABSENT, FsError, KeyedLock, type FsActor, type FsEditOutcome, type FsEditRequest, type FsObservation, type FsTarget, type FsWriteOutcome } from '@deepseek-ai/dsh-fs'
import { outside } from '@deepseek-ai/dsh-scope'
import type { ToolCall } from '@deepseek-ai/dsh-tools'

export class FileAccess {
  readonly ctx: Context
  readonly #lock = new KeyedLock()

  constructor(ctx: Context) {
    this.ctx = ctx
  }

  /** Writes under the condition that the policies set. Decision, write and observation of one file happen in one piece, so calls in parallel do not outdate each other. */
  async write(target: FsTarget, content: string, call: ToolCall): Promise<FsWriteOutcome> {
    return await this.#alone(target, call, 'write', async actor => {
      const { signal } = call
      const intent = await this.ctx.root.waterfall(this.#subject(call), 'fs/write-intent', target, actor, () => Promise.resolve(undefined))
      return await this.ctx.fs.writeText(target, content, { signal, ...(intent && { intent }) })
    })
  }

  async edit(target: FsTarget, edits: readonly FsEditRequest[], call: ToolCall): Promise<FsEditOutcome> {
    return await this.#alone(target, call, 'edit', async actor => {
      const { signal } = call
      const intent = await this.ctx.root.waterfall(this.#subject(call), 'fs/edit-intent', target, actor, () => Promise.resolve(undefined))
      return await this.ctx.fs.editText(target, edits, { signal, ...(intent && { expect: intent.version }) })
    })
  }

  /** Reads, and when nothing is there lets the policies know that, too. */
  async read<T>(target: FsTarget, call: ToolCall, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof FsError && error.details.absent) this.observe(target, { by: 'read', version: ABSENT }, call)
      throw error
    }
  }

  observe(target: FsTarget, observation: FsObservation, call: ToolCall): void {
    this.ctx.root.emit(this.#subject(call) as never, 'fs/observed', target, observation, actorOf(call))
  }

  async #alone<T extends { version: string }>(target: FsTarget, call: ToolCall, by: 'write' | 'edit', work: (actor: FsActor) => Promise<T>): Promise<T> {
    return await this.#lock.run(target.targetKey, call.signal, async () => {
      const outcome = await this.read(target, call, () => work(actorOf(call)))
      this.observe(target, { by, version: outcome.version }, call)
      return outcome
    })
  }

  #subject(call: ToolCall): object {
    return call.agent?.scope ?? outside
  }
}

function actorOf({ agent }: ToolCall): FsActor {
  return agent ? { session: agent.session } : {}
}
