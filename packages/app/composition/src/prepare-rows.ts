/** Loads the plugins of a plan and checks their configs: everything that can be known before a row starts. */

import type { EntryOptions } from '@cordisjs/loader'
import type { Plan, PlanRow } from '@deepseek-ai/dsh-composition-yaml'
import type { PluginHost } from '@deepseek-ai/dsh-plugin-host'
import type { Plugin } from 'cordis'
import { checkConfig } from './check-config.ts'
import { diagnoseFailure } from './diagnose.ts'
import type { RowProblem } from './row-problem.ts'

export interface Prepared {
  /** What the loader mounts, in the order of the plan. */
  entries: EntryOptions[]
  /** Row id → why it cannot be mounted. */
  problems: Map<string, RowProblem[]>
}

export interface PrepareOptions {
  host: PluginHost
  /** The specifier under which the host knows the plugin of a row. */
  specify: (row: PlanRow) => string
  timeoutMs: number
}

/** Never rejects: what is wrong with a row is in `problems`. Modules load at the same time; entries keep the order of rows. */
export async function prepareRows(plan: Plan, options: PrepareOptions): Promise<Prepared> {
  const rows = plan.rows.filter(row => !row.disabled)
  const results = await Promise.all(rows.map(row => prepareRow(row, options)))
  const prepared: Prepared = { entries: [], problems: new Map() }
  for (const { row, entry, problems } of results) {
    if (problems.length > 0) prepared.problems.set(row.id, problems)
    else prepared.entries.push(entry)
  }
  return prepared
}

interface PreparedRow {
  row: PlanRow
  entry: EntryOptions
  problems: RowProblem[]
}

async function prepareRow(row: PlanRow, { host, specify, timeoutMs }: PrepareOptions): Promise<PreparedRow> {
  const name = specify(row)
  try {
    const plugin = await bounded(host.load(name), row, timeoutMs)
    const { config, problems } = checkConfig(plugin, row)
    return { row, entry: config === undefined ? { id: row.id, name } : { id: row.id, name, config }, problems }
  } catch (error) {
    return { row, entry: { id: row.id, name }, problems: [diagnoseFailure(row, error)] }
  }
}

async function bounded(loading: Promise<Plugin>, row: PlanRow, timeoutMs: number): Promise<Plugin> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`plugin ${row.name} did not finish loading within ${timeoutMs} ms`)), timeoutMs)
  try {
    return await Promise.race([loading, late.promise])
  } finally {
    clearTimeout(timer)
    // When it loses the race it may still fail, and the host drops what failed: nobody is left to tell.
    void Promise.allSettled([loading])
  }
}
