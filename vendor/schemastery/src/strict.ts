/** Finds the keys of a config that its schema does not know; the schema itself lets them pass in silence. */

import type Schema from '@deepseek-ai/schemastery'
import { nearest } from '@deepseek-ai/dsh-text'

export interface UnknownKey {
  /** From the config's top to the key, array positions as numbers in text. */
  path: string[]
  /** The known key that it was probably meant to be. */
  suggestion?: string
}

type Node = Schema<unknown>

/** Schemas may be recursive through `lazy`; configs are trees of this depth at most. */
const MOST_DEPTH = 64

/**
 * The unknown keys of every object in `value`, in the order of the value.
 *
 * Where the schema leaves the shape open (`any`, `dict`, a transform of them)
 * nothing is unknown. In a union the member that validates the value with the
 * fewest unknown keys decides; when none validates, the validator has the word
 * and nothing is reported here. Anything that is no such schema knows every key.
 */
export function findUnknownKeys(schema: unknown, value: unknown): UnknownKey[] {
  return isNode(schema) ? walk(schema, value, []) : []
}

function isNode(schema: unknown): schema is Node {
  return typeof schema === 'function' && (schema as unknown as Record<symbol, unknown>)[Symbol.for('schemastery')] === true
}

function walk(schema: Node, value: unknown, path: string[]): UnknownKey[] {
  if (value === null || typeof value !== 'object' || path.length > MOST_DEPTH) return []
  switch (schema.type) {
    case 'object':
    case 'intersect':
      return walkObject(schema, value as Record<string, unknown>, path)
    case 'dict':
      return Object.entries(value).flatMap(([key, item]) => walkInner(schema.inner, item, [...path, key]))
    case 'array':
      return Array.isArray(value) ? value.flatMap((item, index) => walkInner(schema.inner, item, [...path, String(index)])) : []
    case 'tuple':
      return Array.isArray(value) ? value.flatMap((item, index) => walkInner(schema.list?.[index], item, [...path, String(index)])) : []
    case 'union':
      return walkUnion(schema, value, path)
    case 'transform':
      return walkInner(schema.inner, value, path)
    case 'lazy':
      return walkInner(resolveLazy(schema), value, path)
    default:
      return []
  }
}

function walkInner(schema: unknown, value: unknown, path: string[]): UnknownKey[] {
  return isNode(schema) ? walk(schema, value, path) : []
}

function walkObject(schema: Node, value: Record<string, unknown>, path: string[]): UnknownKey[] {
  const known = knownKeys(schema)
  if (known === undefined || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([key, item]) => {
    const inner = known.get(key)
    if (inner !== undefined) return walk(inner, item, [...path, key])
    const suggestion = nearest(key, known.keys())
    return [suggestion === undefined ? { path: [...path, key] } : { path: [...path, key], suggestion }]
  })
}

/** The declared keys of an object or of all members of an intersection; undefined when one member is open. */
function knownKeys(schema: Node): Map<string, Node> | undefined {
  const known = new Map<string, Node>()
  if (schema.type === 'object') {
    for (const [key, inner] of Object.entries(schema.dict ?? {})) known.set(key, inner as Node)
    return known
  }
  const inner = schema.type === 'transform' ? schema.inner : schema.type === 'lazy' ? resolveLazy(schema) : undefined
  if (isNode(inner)) return knownKeys(inner)
  if (schema.type !== 'intersect') return undefined
  for (const member of schema.list ?? []) {
    const keys = knownKeys(member as Node)
    if (keys === undefined) return undefined
    for (const [key, node] of keys) known.set(key, node)
  }
  return known
}

function walkUnion(schema: Node, value: object, path: string[]): UnknownKey[] {
  let best: UnknownKey[] | undefined
  for (const member of schema.list ?? []) {
    if (!accepts(member as Node, value)) continue
    const found = walk(member as Node, value, path)
    if (best === undefined || found.length < best.length) best = found
  }
  return best ?? []
}

function accepts(schema: Node, value: object): boolean {
  // Validation may write adapted values back into its input.
  const result = schema['~standard'].validate(structuredClone(value))
  return !('then' in result) && result.issues === undefined
}

function resolveLazy(schema: Node): unknown {
  if (isNode(schema.inner)) return schema.inner
  return (schema.builder as (() => unknown) | undefined)?.()
}
