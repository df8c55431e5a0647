/** Explains a running composition: what runs, why, with which values, and who listens to what. */

import { formatPosition, type Origin, type Untrusted } from '@deepseek-ai/dsh-composition-yaml'
import type { Context, Fiber } from 'cordis'
import type { RowState } from '@cordisjs/loader/host'
import { maskValue } from './mask.ts'
import type { RowStatus, Running } from './running.ts'

export interface ExplainedValue {
  /** Dotted config path. */
  path: string
  /** Masked when its name says that it is a secret. */
  value: unknown
  /** `file:line` that set it, a flag, or `default`. */
  from: string
  /** The environment variable it was read from. */
  env?: string
}

export interface ExplainedRow {
  id: string
  name: string
  state: RowState
  required: boolean
  origin: Origin
  /** `file:line:column`. */
  position: string
  /** Why it is not active. */
  problem?: string
  config: ExplainedValue[]
  provides: string[]
  /** Services that it requires, with whether they are there. */
  requires: Array<{ service: string; met: boolean }>
  /** Parts inside it that are not active. */
  nested: Array<{ name: string; state: string; detail: string }>
}

export interface ExplainedEvent {
  name: string
  /** In the order in which they are called. */
  listeners: Array<{ row?: string; plugin: string }>
}

export interface Explained {
  model?: { value: string; from: string }
  /** How the project stands, whose settings may be held back. */
  project?: string
  rows: ExplainedRow[]
  events: ExplainedEvent[]
  /** Settings of a project that wait for trust. */
  untrusted: Array<{ setting: string; position: string }>
  /** Settings of a project that apply only because it is trusted. */
  trusted: Array<{ setting: string; position: string }>
  /** What the contributors answered: tools, prompt sections. */
  contributions: Record<string, unknown[]>
}

export interface ExplainOptions {
  /** Title → what to list under it, read from the running services; JSON values. Must not throw. */
  contributors?: Readonly<Record<string, (root: Context) => unknown[]>>
}

/** Reads only; plain JSON, and no secret in it. */
export function explain(running: Running, { contributors = {} }: ExplainOptions = {}): Explained {
  const { plan, root } = running
  const contributions = Object.fromEntries(Object.entries(contributors).map(([title, read]) => [title, read(root)]))
  return {
    ...(plan.model === undefined ? {} : { model: { value: plan.model.value, from: shortPosition(plan.model.position) } }),
    rows: running.status().map(status => explainRow(root, status)),
    events: explainEvents(root),
    untrusted: plan.untrusted.map(explainSetting),
    trusted: plan.trusted.map(explainSetting),
    contributions,
  }
}

function explainSetting({ setting, position }: Untrusted): Explained['untrusted'][number] {
  return { setting, position: formatPosition(position) }
}

function explainRow(root: Context, status: RowStatus): ExplainedRow {
  const { row, state, problem } = status
  const unmet = new Set(status.needs.map(need => need.service))
  return {
    id: row.id,
    name: row.name,
    state,
    required: row.required,
    origin: row.origin,
    position: formatPosition(row.position),
    ...(problem === undefined ? {} : { problem: problem.message }),
    config: explainConfig(root, status),
    provides: status.provides,
    requires: status.inject.map(service => ({ service, met: !unmet.has(service) })),
    nested: status.nested.map(({ name, state: inner, needs, error }) => ({
      name,
      state: inner,
      detail: inner === 'waiting' ? needs.join(', ') : error instanceof Error ? error.message : String(error),
    })),
  }
}

/** Values that were set, and those that the plugin's schema added to a running row. */
function explainConfig(root: Context, { row, state }: RowStatus): ExplainedValue[] {
  const effective = state === 'active' ? (fiberOf(root, row.id)?.config ?? row.config) : row.config
  return leaves(effective, '').map(([path, value], index, all) => {
    const origin = findOrigin(row.provenance, path)
    const before = /\.[1-9]\d*$/.test(path) ? all[index - 1]?.[1] : undefined
    const shown = { path, value: maskValue(path, value, { env: origin?.env, before }), from: origin === undefined ? 'default' : shortPosition(origin.position) }
    return origin?.env === undefined ? shown : { ...shown, env: origin.env }
  })
}

/** Where a value of a running plugin was written; undefined for what its schema added. */
export function whereIs(root: Context, rows: readonly RowStatus['row'][], { plugin, path }: { plugin: Context; path: string }): string | undefined {
  const id = root.loader.locate(plugin.fiber)
  const row = rows.find(each => each.id === id)
  const origin = row && findOrigin(row.provenance, path)
  return origin && shortPosition(origin.position)
}

/** What a plugin made of a list or a map that was written as one value came from there. */
function findOrigin(provenance: RowStatus['row']['provenance'], path: string): RowStatus['row']['provenance'][string] | undefined {
  return provenance[path] ?? (/\.\d+(\.|$)/.test(path) ? provenance[path.replace(/\.\d+(?:\..*)?$/, '')] : undefined)
}

function leaves(value: unknown, path: string): Array<[string, unknown]> {
  if (value === null || typeof value !== 'object' || (Object.getPrototypeOf(value) !== Object.prototype && !Array.isArray(value))) {
    return path === '' ? [] : [[path, typeof value === 'function' ? '[function]' : value instanceof RegExp ? String(value) : value]]
  }
  if ('__jsExpr' in value) return [[path, `!!js ${String(value.__jsExpr)}`]]
  const items = Object.entries(value)
  if (items.length === 0) return path === '' ? [] : [[path, value]]
  return items.flatMap(([key, item]) => leaves(item, path === '' ? key : `${path}.${key}`))
}

interface Hook {
  ctx: Context
}

function explainEvents(root: Context): ExplainedEvent[] {
  const hooks = root.events._hooks as unknown as Record<string, Hook[]>
  return Object.keys(hooks)
    .filter(name => !/^(?:internal|loader)\//.test(name) && (hooks[name]?.length ?? 0) > 0)
    .toSorted()
    .map(name => ({
      name,
      listeners: (hooks[name] ?? []).map(({ ctx }) => {
        const row = root.loader.locate(ctx.fiber)
        return row === undefined ? { plugin: ctx.fiber.name } : { row, plugin: ctx.fiber.name }
      }),
    }))
}

function fiberOf(root: Context, id: string): Fiber | undefined {
  for (const entry of root.loader.entries()) {
    if (entry.options.id === id) return entry.fiber
  }
  return undefined
}

function shortPosition({ file, line }: { file: string; line: number }): string {
  return line === 0 ? file : `${file}:${line}`
}
