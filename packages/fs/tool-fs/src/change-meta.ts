/**
 * What a changing call keeps in the `meta` of its result: the observation, and
 * a bounded picture of the change for screens.
 *
 *     { fs, path, operation, added, removed, hunks?: [{ line, oldText, newText }] }
 */

import { toObservationMeta, type FsTarget, type FsVersion } from '@deepseek-ai/dsh-fs'
import type { JsonObject, JsonValue } from '@deepseek-ai/dsh-json'
import type { FileDiff, ToolResult, ToolResultView } from '@deepseek-ai/dsh-tools'
import { plural } from '@deepseek-ai/dsh-text'
import { boundedDiff, type BoundedDiff } from './bounded-diff.ts'

export interface Change {
  by: 'write' | 'edit'
  operation: 'create' | 'update' | 'unchanged'
  version: FsVersion
  /** Null when there is nothing to compare with. */
  before: string | null
  after: string
}

export async function changeMeta(target: FsTarget, { by, operation, version, before, after }: Change, mostDiff: number): Promise<JsonObject> {
  const observed = { ...toObservationMeta(target, { by, version }), path: target.targetKey, operation }
  if (before === null || operation === 'unchanged') return observed
  const { hunks, ...counts } = await boundedDiff(before, after, mostDiff)
  return { ...observed, ...counts, ...(hunks && { hunks: hunks.map(hunk => ({ ...hunk })) }) }
}

/** The change as a screen shows it; `created` is the text of a new file, which the call's arguments hold. */
export function presentChange(result: ToolResult, created?: string): ToolResultView {
  const meta = asObject(result.meta)
  const path = meta?.['path']
  if (result.isError || typeof path !== 'string') return { card: 'generic', content: result.content }
  if (meta?.['operation'] === 'create' && created !== undefined) return { card: 'diff', diffs: [{ path, oldText: null, newText: created }] }
  const diffs = hunksOf(meta?.['hunks']).map(({ oldText, newText }): FileDiff => ({ path, oldText, newText }))
  if (diffs.length > 0) return { card: 'diff', diffs }
  const { added, removed } = (meta ?? {}) as Partial<BoundedDiff>
  const title = added === undefined || removed === undefined ? undefined : `too large to show: ${plural(Math.max(added, removed), 'line')} changed`
  return { card: 'generic', ...(title && { title }), content: result.content }
}

function hunksOf(value: JsonValue | undefined): { oldText: string; newText: string }[] {
  if (!Array.isArray(value)) return []
  return value.flatMap(each => {
    const hunk = asObject(each)
    const [oldText, newText] = [hunk?.['oldText'], hunk?.['newText']]
    return typeof oldText === 'string' && typeof newText === 'string' ? [{ oldText, newText }] : []
  })
}

function asObject(value: JsonValue | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
}
