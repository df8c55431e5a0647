/** Which rows an edit would start, stop or load anew. Pure. */

import { isDeepStrictEqual } from 'node:util'
import { dirname, resolve } from 'node:path'
import type { Plan, PlanRow } from '@deepseek-ai/dsh-composition-yaml'

/** Their ids: of rows that differ, and of those whose own source is among `changedFiles`. */
export function editedRows(before: Plan, after: Plan, changedFiles: readonly string[]): string[] {
  const old = new Map(before.rows.map(row => [row.id, row]))
  const isEdited = (row: PlanRow): boolean => !isDeepStrictEqual(essence(row), essence(old.get(row.id))) || changedFiles.includes(sourceOf(row))
  const gone = before.rows.filter(({ id }) => !after.rows.some(row => row.id === id))
  return [...after.rows.filter(isEdited), ...gone].map(({ id }) => id)
}

function essence(row: PlanRow | undefined): unknown {
  return row && [row.name, row.config ?? {}, row.disabled]
}

/** The file of a row that names one; else its name. */
export function sourceOf({ name, position }: PlanRow): string {
  return name.startsWith('.') ? resolve(dirname(position.file), name) : name
}
