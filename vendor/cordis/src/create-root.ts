/** Makes the root context of a program: the framework's own, with our modifications installed on that instance. */

import { Context } from '@deepseek-ai/cordis'
import type { EventsService, Exporter, LoggerService } from '@deepseek-ai/cordis'
import { installFastReads } from './fast-reads.ts'
import { claimSingleCopy } from './single-copy.ts'

/** `LoggerLevel.WARN`; the enum has no value at run time. */
const WARN = 2

interface Hook {
  ctx: Context
  callback: (...args: unknown[]) => unknown
  global?: boolean
}

type Hooks = Record<string, Hook[] | undefined>

/**
 * A fresh root context whose `emit` contains its listeners, whose log exporters
 * can be disposed of, and whose loggers let warnings through.
 *
 * Throws `duplicate-framework` when another copy of the framework made a root before.
 */
export function createRoot(): Context {
  claimSingleCopy()
  const root = new Context()
  installFastReads(root)
  root.events.emit = containedEmit as EventsService['emit']
  root.logger.exporter = disposableExporter as LoggerService['exporter']
  // One level above an empty map: the logger walks up from the map that names it and never expects the end of the chain.
  root[Context.intercept] = Object.assign(Object.create(Object.create(null)), { logger: { level: WARN } })
  return root
}

/**
 * Runs every listener, whatever the others do.
 *
 * A throw or a rejection is logged with the event and the plugin that listens.
 * Throws of `internal/*` listeners are vetoes that the framework relies on: they
 * pass to the emitter, after the other listeners have run.
 */
function containedEmit(this: EventsService, ...args: unknown[]): void {
  const thisArg = typeof args[0] === 'object' || typeof args[0] === 'function' ? (args.shift() as object | null) : null
  const name = args.shift() as string
  const hooks = this._hooks as unknown as Hooks
  const internal = name.startsWith('internal/')
  if (!internal && (hooks['internal/dispatch']?.length ?? 0) > 0) this.emit('internal/dispatch', 'emit', name, args, thisArg)
  const listeners = hooks[name]
  if (listeners === undefined || listeners.length === 0) return

  const vetoes: unknown[] = []
  for (const hook of selectHooks(listeners, thisArg)) {
    try {
      const returned = hook.callback.apply(thisArg, args)
      if (isThenable(returned)) returned.then(undefined, error => report(hook, name, error))
    } catch (error) {
      if (internal) vetoes.push(error)
      else report(hook, name, error)
    }
  }
  if (vetoes.length === 1) throw vetoes[0]
  if (vetoes.length > 1) throw new AggregateError(vetoes, `several listeners of ${name} refused`)
}

/** A snapshot, as in the framework: a listener may remove itself or others while it runs. */
function selectHooks(hooks: Hook[], thisArg: object | null): Hook[] {
  const filter = (thisArg as Record<symbol, unknown> | null)?.[Context.filter] as ((ctx: Context) => boolean) | undefined
  return hooks.filter(hook => hook.global || !filter || filter.call(thisArg, hook.ctx))
}

function report(hook: Hook, event: string, error: unknown): void {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error)
  hook.ctx.root.logger('events').error('listener of "%s" in plugin %s failed: %s', event, hook.ctx.fiber.name, detail)
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function'
}

/** The framework's own disposer removes whichever exporter came last, not the one it belongs to. */
function disposableExporter(this: LoggerService, exporter: Exporter): unknown {
  return this.ctx.effect(() => {
    const id = ++this._snExporter
    this.exporters.set(id, exporter)
    return () => this.exporters.delete(id)
  }, 'ctx.logger.exporter()')
}
