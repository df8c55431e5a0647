/** Counts what a composition holds on to, so that a test can see it let go. */

import type { Context } from 'cordis'

type Counts = Readonly<Record<string, number>>

/** Resources that come and go with the test runner itself. */
const IGNORED: ReadonlySet<string> = new Set(['Immediate', 'MessagePort', 'FSReqPromise', 'FSReqCallback', 'CloseReq', 'TTYWrap', 'PipeWrap', 'SimpleWriteWrap', 'SimpleShutdownWrap'])

export class LeakCheck {
  private readonly ctx: Context
  private readonly resources: Counts
  private readonly hooks: Counts

  /** Takes the counts to compare with. */
  constructor(ctx: Context) {
    this.ctx = ctx
    this.resources = countResources()
    this.hooks = countHooks(ctx)
  }

  /** Listeners of the context that were not there before, such as `session/event +1`. */
  listeners(): string[] {
    return increases(this.hooks, countHooks(this.ctx))
  }

  /** Timers, sockets, servers, watchers and child processes of this thread that were not there before. */
  handles(): string[] {
    return increases(this.resources, countResources())
  }
}

function countHooks(ctx: Context): Counts {
  const hooks = ctx.events._hooks as Readonly<Record<string, readonly unknown[]>>
  return Object.fromEntries(Object.entries(hooks).map(([name, list]) => [name, list.length]))
}

function countResources(): Counts {
  const counts: Record<string, number> = {}
  for (const name of process.getActiveResourcesInfo()) if (!IGNORED.has(name)) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

function increases(before: Counts, after: Counts): string[] {
  return Object.entries(after)
    .map(([name, count]) => ({ name, more: count - (before[name] ?? 0) }))
    .filter(({ more }) => more > 0)
    .map(({ name, more }) => `${name} +${more}`)
    .sort()
}
