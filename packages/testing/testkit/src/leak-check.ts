/** Watches what a composition holds on to, so that a test can see it let go. */

import { createHook, type AsyncHook } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from 'cordis'

/** What keeps a process alive, or an answer from coming, when it is forgotten. */
const WATCHED: ReadonlySet<string> = new Set(['Timeout', 'TCPWRAP', 'TCPSERVERWRAP', 'PIPEWRAP', 'PIPESERVERWRAP', 'UDPWRAP', 'PROCESSWRAP', 'FSEVENTWRAP', 'STATWATCHER', 'WORKER'])

/** A process that has just ended, or a socket, is closed some turns of the event loop later. */
const MOST_CLOSING_MS = 1_000

interface Resource {
  type: string
  /** Where it was made. */
  at: string
  handle: WeakRef<{ hasRef?: () => boolean; _destroyed?: boolean }>
}

export class LeakCheck {
  private readonly ctx: Context
  private readonly hooks: Readonly<Record<string, number>>
  private readonly resources = new Map<number, Resource>()
  private readonly watch: AsyncHook

  /** Starts to watch; `settle` must be called. */
  constructor(ctx: Context) {
    const { resources } = this
    this.ctx = ctx
    this.hooks = countHooks(ctx)
    this.watch = createHook({
      init(id, type, _trigger, handle) {
        if (WATCHED.has(type)) resources.set(id, { type, at: callerOf(new Error().stack ?? ''), handle: new WeakRef(handle) })
      },
      destroy: id => void resources.delete(id),
      // Promises are many and nobody here asks for them.
      trackPromises: false,
    } as Parameters<typeof createHook>[0]).enable()
  }

  /** Gives handles that are being closed a moment to go, and ends the watch. */
  async settle(): Promise<void> {
    const deadline = Date.now() + MOST_CLOSING_MS
    do await sleep(1)
    while (this.handles().length > 0 && Date.now() < deadline)
    this.watch.disable()
  }

  /** Listeners of the context that were not there before, such as `session/event +1`. */
  listeners(): string[] {
    return Object.entries(countHooks(this.ctx))
      .map(([name, count]) => ({ name, more: count - (this.hooks[name] ?? 0) }))
      .filter(({ more }) => more > 0)
      .map(({ name, more }) => `listener of ${name} +${more}`)
  }

  /** Timers, sockets, servers, watchers and child processes that were made since and are still alive, each with where it was made. */
  handles(): string[] {
    return [...this.resources.values()].filter(isAlive).map(({ type, at }) => `${type} made ${at}`)
  }
}

function countHooks(ctx: Context): Record<string, number> {
  const hooks = ctx.events._hooks as Readonly<Record<string, readonly unknown[]>>
  return Object.fromEntries(Object.entries(hooks).map(([name, list]) => [name, list.length]))
}

/** The test runner has timers of its own. */
function isAlive({ at, handle }: Resource): boolean {
  const resource = handle.deref()
  return resource !== undefined && !at.includes('vitest') && resource._destroyed !== true && resource.hasRef?.() !== false
}

/** The first line of a stack that is neither the runtime's nor this file's. */
function callerOf(stack: string): string {
  const frames = stack.split('\n').slice(1).map(line => line.trim())
  return frames.find(frame => !frame.includes('node:') && !frame.includes('leak-check')) ?? 'by the runtime'
}
