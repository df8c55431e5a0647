/** A composition that runs: what its programs may ask and do with it. */

import type { RowReport } from '@cordisjs/loader/host'
import type { Plan, PlanRow } from '@deepseek-ai/dsh-composition-yaml'
import type { PluginHost, PluginHostOptions } from '@deepseek-ai/dsh-plugin-host'
import type { Context } from 'cordis'
import type { RowProblem } from './row-problem.ts'

export interface BootOptions extends PluginHostOptions {
  /** Called with the root before the first row is mounted: log exporters, process hooks. */
  prepare?: (root: Context) => void
  /** How long one row may take to load and start. Default 10,000. */
  startTimeoutMs?: number
  /** How long a required row may go on waiting for a service once nothing else is starting. Default 1,000. */
  graceMs?: number
  /** How long `dispose` waits for plugins that do not end. Default 5,000. */
  disposeTimeoutMs?: number
  /** Service → packages known to provide it, for messages about services that nobody provides. */
  providers?: Readonly<Record<string, readonly string[]>>
}

export interface RowStatus extends RowReport {
  row: PlanRow
  /** Why it, or a part of it, is not active. */
  problem?: RowProblem
}

export interface ApplyOptions {
  /** Third-party source files that changed: the plugins that loaded them are loaded anew. */
  changedSources?: readonly string[]
}

export interface ApplyReport {
  /** Rows that were started, restarted with a new config or source, or stopped. */
  changed: string[]
  /** Optional rows that are not active now, and failed parts of active ones. */
  problems: RowProblem[]
}

export interface Running {
  readonly root: Context
  readonly host: PluginHost
  /** The plan that is in force. */
  readonly plan: Plan
  /** Every row of the plan as it is at this moment. */
  status: () => RowStatus[]
  /** True only when no row has a problem, and found out for a fraction of what `status` costs; false may only mean that a part waits. */
  isWell: () => boolean
  /**
   * Applies another plan, or the same one after its sources changed, as one
   * transaction: rows that do not differ keep their instance. Rejects with a
   * `BootError` (`reload-refused`) when a row that was active, or a required one,
   * would not be; everything is then as before. Calls queue up.
   */
  apply: (plan: Plan, options?: ApplyOptions) => Promise<ApplyReport>
  /** Source files of the third-party plugins of the plan, those of failed ones included. */
  sources: () => string[]
  /** Stops everything; settles when it is quiet or `disposeTimeoutMs` is over. Repeated calls share one promise. */
  dispose: () => Promise<void>
}
