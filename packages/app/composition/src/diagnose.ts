/** Turns what the audit found into problems that a person can act on. */

import type { RowReport } from '@cordisjs/loader/host'
import type { PlanRow } from '@deepseek-ai/dsh-composition-yaml'
import { describeError } from '@deepseek-ai/dsh-errors'
import { PluginError } from '@deepseek-ai/dsh-plugin-host'
import type { RowProblem } from './row-problem.ts'

export interface DiagnoseContext {
  rows: ReadonlyMap<string, PlanRow>
  reports: ReadonlyMap<string, RowReport>
  /** Service → packages that are known to provide it, mounted or not. */
  providers: Readonly<Record<string, readonly string[]>>
}

/** Why this row, or a part of it, is not active; undefined when all is, and when it is switched off. */
export function diagnose(report: RowReport, context: DiagnoseContext): RowProblem | undefined {
  const row = context.rows.get(report.id)
  if (row === undefined) return undefined
  const at = { row: row.id, position: row.position }
  if (report.state === 'disabled') return row.required ? { ...at, code: 'required-disabled', message: 'the row is required and is switched off' } : undefined
  if (report.state === 'failed') return diagnoseFailure(row, report.error)
  if (report.state === 'starting') return { ...at, code: 'start-timeout', message: `plugin ${row.name} is still starting` }
  if (report.state === 'active') return diagnoseParts(row, report)
  if (report.cycle !== undefined) return { ...at, code: 'inject-cycle', message: describeCycle(report.cycle, context) }
  return { ...at, code: 'unmet-inject', message: report.needs.map(need => describeNeed(need, context)).join('; ') }
}

/** A part that waits is one that a plugin keeps for a service that may come; a part that failed is missing. */
function diagnoseParts(row: PlanRow, report: RowReport): RowProblem | undefined {
  const failed = report.nested.filter(part => part.state === 'failed')
  if (failed.length === 0) return undefined
  const message = failed.map(part => `part ${part.name} of plugin ${row.name} failed: ${describeError(part.error)}`).join('; ')
  return { code: 'part-failed', row: row.id, position: row.position, message, cause: failed[0]?.error }
}

/** The problem of a row that failed to load or to start. */
export function diagnoseFailure(row: PlanRow, error: unknown): RowProblem {
  const reason = rootCause(error)
  const at = { row: row.id, position: row.position, cause: reason }
  if (isRowProblem(reason)) return reason
  if (reason instanceof PluginError) return { ...at, code: reason.code, message: reason.message }
  const message = describeError(reason)
  if (/did not finish (?:starting|loading) within/.test(message)) return { ...at, code: 'start-timeout', message }
  return { ...at, code: 'plugin-threw', message: `plugin ${row.name} failed to start: ${message}` }
}

/** The loader wraps what a plugin threw into sentences of its own, which say nothing new. */
function rootCause(error: unknown): unknown {
  let current = error
  while (current instanceof Error && /^failed to (?:import|apply|dispose|rollback) loader entry /.test(current.message) && current.cause !== undefined) current = current.cause
  return current
}

function isRowProblem(value: unknown): value is RowProblem {
  return value !== null && typeof value === 'object' && 'position' in value && 'row' in value
}

function describeNeed(need: RowReport['needs'][number], { reports, providers }: DiagnoseContext): string {
  const service = `waits for the service "${need.service}"`
  if (need.providers.length === 0) {
    const known = providers[need.service] ?? []
    return known.length === 0 ? `${service}, which no mounted row provides` : `${service}, which no mounted row provides (${known.join(' or ')} would)`
  }
  const rows = need.providers.map(id => `row "${id}" (${reports.get(id)?.state ?? 'unknown'})`)
  return `${service} of ${rows.join(' and ')}`
}

function describeCycle(cycle: readonly string[], { reports }: DiagnoseContext): string {
  const steps = cycle.slice(0, -1).map((id, index) => {
    const next = cycle[index + 1] ?? ''
    const service = reports.get(id)?.needs.find(need => need.providers.includes(next))?.service ?? '?'
    return `"${id}" needs "${service}" of "${next}"`
  })
  return `the rows wait for one another: ${cycle.join(' → ')} (${steps.join(', ')})`
}
