/** Says of every mounted row what became of it; the framework itself is silent about rows that never start. */

import type { Context, Fiber } from '@deepseek-ai/cordis'
import type { Entry, EntryOptions } from '@deepseek-ai/cordis-plugin-loader'

export type RowState = 'active' | 'waiting' | 'failed' | 'starting' | 'disabled'

/** A service that a row waits for. */
export interface Need {
  service: string
  /** Rows that provide it once they are active; empty when no mounted row is known to. */
  providers: string[]
}

/** A part inside a row (a `ctx.inject` body, a child plugin) that is not active though the row is. */
export interface Nested {
  name: string
  state: 'waiting' | 'failed'
  needs: string[]
  error?: unknown
}

export interface RowReport {
  id: string
  state: RowState
  /** Services that its plugin declares or has provided. */
  provides: string[]
  /** Services that it requires. */
  inject: string[]
  /** What a waiting row lacks. */
  needs: Need[]
  /** Row ids along a dependency cycle, the first repeated at the end. */
  cycle?: string[]
  /** Why a row failed. */
  error?: unknown
  nested: Nested[]
}

/** `FiberState`; the enum has no value at run time. */
const STATE = { pending: 0, loading: 1, active: 2, failed: 3, unloading: 5 } as const

interface FiberInside {
  _store: Record<string, unknown>
  _error?: unknown
}

/**
 * A report for each of `rows`, in their order.
 *
 * `failures` holds the errors of rows that failed so early that the loader does
 * not know them. Pure reading: call it as often as you like, also while rows start.
 */
export function auditRows(ctx: Context, rows: readonly EntryOptions[], failures: ReadonlyMap<string, unknown> = new Map()): RowReport[] {
  const entries = new Map<string, Entry>()
  for (const entry of ctx.loader.entries()) entries.set(entry.options.id, entry)
  const reports = rows.map(row => reportRow(ctx, row, entries.get(row.id), failures))
  const providers = new Map<string, string[]>()
  for (const { id, provides } of reports) {
    for (const service of provides) providers.set(service, [...(providers.get(service) ?? []), id])
  }
  for (const report of reports) {
    for (const need of report.needs) need.providers = providers.get(need.service) ?? []
  }
  const waiting = new Map(reports.filter(report => report.state === 'waiting').map(report => [report.id, report]))
  for (const report of waiting.values()) {
    const cycle = findCycle(report, waiting)
    if (cycle !== undefined) report.cycle = cycle
  }
  return reports
}

function reportRow(ctx: Context, row: EntryOptions, entry: Entry | undefined, failures: ReadonlyMap<string, unknown>): RowReport {
  const report: RowReport = { id: row.id, state: 'active', provides: [], inject: [], needs: [], nested: [] }
  const error = failures.get(row.id)
  if (row.disabled === true) return { ...report, state: 'disabled' }
  // The entry holds an awaitable wrapper; the fiber itself is the one that its context names.
  const fiber = entry?.fiber?.ctx.fiber
  if (fiber === undefined) return { ...report, state: 'failed', error: error ?? new Error('the row is not mounted') }
  report.provides = providedBy(ctx, fiber)
  report.inject = Object.keys(fiber.inject)
  const inside = fiber as unknown as FiberInside
  switch (fiber.state as number) {
    case STATE.active:
      return { ...report, nested: findNested(ctx, fiber) }
    case STATE.pending:
      return { ...report, state: 'waiting', needs: unmet(fiber).map(service => ({ service, providers: [] })) }
    case STATE.loading:
    case STATE.unloading:
      return error === undefined ? { ...report, state: 'starting' } : { ...report, state: 'failed', error }
    default:
      return { ...report, state: 'failed', error: inside._error ?? error ?? new Error('the row was disposed of') }
  }
}

function unmet(fiber: Fiber): string[] {
  const { _store } = fiber as unknown as FiberInside
  return Object.keys(fiber.inject).filter(service => _store[service] === undefined)
}

/** Declared (`static provide`) first, then what it or a child of it has registered. */
function providedBy(ctx: Context, fiber: Fiber): string[] {
  const declared = (fiber.runtime?.callback as { provide?: string | string[] } | undefined)?.provide ?? []
  const services = new Set(Array.isArray(declared) ? declared : [declared])
  for (const key of Object.getOwnPropertySymbols(ctx.reflect.store)) {
    const implementation = ctx.reflect.store[key]
    if (implementation !== undefined && isWithin(implementation.fiber, fiber)) services.add(implementation.name)
  }
  return [...services]
}

function isWithin(inner: Fiber, outer: Fiber): boolean {
  for (let fiber = inner; ; fiber = fiber.parent.fiber) {
    if (fiber === outer) return true
    if (fiber.runtime === null || fiber.parent.fiber === fiber) return false
  }
}

function findNested(ctx: Context, outer: Fiber): Nested[] {
  const nested: Nested[] = []
  for (const runtime of ctx.registry.values()) {
    for (const fiber of runtime.fibers) {
      const state = fiber.state as number
      if (fiber === outer || (state !== STATE.pending && state !== STATE.failed) || !isWithin(fiber, outer)) continue
      const { _error } = fiber as unknown as FiberInside
      if (state === STATE.pending) nested.push({ name: fiber.name, state: 'waiting', needs: unmet(fiber) })
      else nested.push({ name: fiber.name, state: 'failed', needs: [], error: _error })
    }
  }
  return nested
}

/** Depth first over waiting providers, from the row back to itself. */
function findCycle(start: RowReport, waiting: ReadonlyMap<string, RowReport>): string[] | undefined {
  const seen = new Set<string>()
  const visit = (report: RowReport, path: string[]): string[] | undefined => {
    for (const id of report.needs.flatMap(need => need.providers)) {
      if (id === start.id) return [...path, id]
      const next = waiting.get(id)
      if (next === undefined || seen.has(id)) continue
      seen.add(id)
      const found = visit(next, [...path, id])
      if (found !== undefined) return found
    }
    return undefined
  }
  return visit(start, [start.id])
}
