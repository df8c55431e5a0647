/**
 * How an observation is kept in the `meta` of a tool result, so that what a
 * session knows of its files can be rebuilt from its log.
 *
 *     { "fs": { "key": "/w/a.ts", "by": "read", "version": "h…", "range": [1, 40, 90] } }
 */

import type { JsonObject, JsonValue } from '@deepseek-ai/dsh-json'
import type { FsObservation, FsTarget, FsTargetKey } from './types.ts'

/** To be merged into the result's own `meta`. */
export function toObservationMeta({ targetKey }: FsTarget, { by, version, range }: FsObservation): JsonObject {
  return { fs: { key: targetKey, by, version, ...(range && { range: [range.from, range.to, range.total] }) } }
}

/** The observation in a `meta`; undefined when there is none, or none that makes sense. */
export function fromObservationMeta(meta: JsonValue | undefined): { key: FsTargetKey; observation: FsObservation } | undefined {
  const stored = asObject(asObject(meta)?.['fs'])
  const key = stored?.['key']
  const by = stored?.['by']
  const version = stored?.['version']
  if (typeof key !== 'string' || typeof version !== 'string' || (by !== 'read' && by !== 'write' && by !== 'edit')) return undefined
  const range = stored?.['range']
  if (range === undefined) return { key, observation: { by, version } }
  const [from, to, total] = Array.isArray(range) ? range : []
  if (typeof from !== 'number' || typeof to !== 'number' || typeof total !== 'number') return undefined
  return { key, observation: { by, version, range: { from, to, total } } }
}

function asObject(value: JsonValue | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
}
