/** A parsed YAML value that still knows where each part was written, and whose tags are not yet resolved. */

import type { Position } from './position.ts'

export type Plain = string | number | boolean | null

export interface YamlEntry {
  key: string
  /** Of the key. */
  at: Position
  value: YamlNode
}

export type YamlMap = { kind: 'map'; at: Position; entries: YamlEntry[] }

export type YamlNode =
  | { kind: 'scalar'; at: Position; value: Plain; literal?: true }
  | { kind: 'list'; at: Position; items: YamlNode[] }
  | YamlMap
  | { kind: 'env'; at: Position; name: string; fallback?: Plain }
  | { kind: 'js'; at: Position; code: string }
  | { kind: 'replace'; at: Position; value: YamlNode }

/** What a node is called in messages. */
export function describeNode(node: YamlNode): string {
  switch (node.kind) {
    case 'scalar':
      return node.value === null ? 'nothing' : `the ${typeof node.value} ${JSON.stringify(node.value)}`
    case 'list':
      return 'a list'
    case 'map':
      return 'a map'
    case 'env':
      return '!env'
    case 'js':
      return '!!js'
    case 'replace':
      return '!replace'
  }
}

/** The value under `key`; undefined when the map lacks it. */
export function getEntry(map: YamlMap, key: string): YamlEntry | undefined {
  return map.entries.find(entry => entry.key === key)
}

/** The same tree with every position moved to another file name. */
export function relocate(node: YamlNode, file: string): YamlNode {
  const at = { ...node.at, file }
  switch (node.kind) {
    case 'list':
      return { ...node, at, items: node.items.map(item => relocate(item, file)) }
    case 'map':
      return { ...node, at, entries: node.entries.map(entry => ({ key: entry.key, at: { ...entry.at, file }, value: relocate(entry.value, file) })) }
    case 'replace':
      return { ...node, at, value: relocate(node.value, file) }
    default:
      return { ...node, at }
  }
}

/** Lists of rules: a later layer that set one anew would take away what an earlier one refused. */
const ADDING: ReadonlySet<string> = new Set(['allow', 'ask', 'deny'])

/**
 * `over` laid on `base`: maps merge key by key, anything else replaces, except
 * that lists under `allow`, `ask` and `deny` add up. `!replace` replaces whole.
 * Neither argument is changed.
 */
export function mergeNodes(base: YamlNode | undefined, over: YamlNode, key?: string): YamlNode {
  if (over.kind === 'replace') return over.value
  if (over.kind === 'list' && base?.kind === 'list' && key !== undefined && ADDING.has(key)) return { ...over, items: [...base.items, ...over.items] }
  if (over.kind !== 'map') return over
  const entries = base?.kind === 'map' ? [...base.entries] : []
  for (const entry of over.entries) {
    const index = entries.findIndex(({ key }) => key === entry.key)
    const before = entries[index]
    const value = mergeNodes(before?.value, entry.value, entry.key)
    // A map that was merged keeps the place where it was first written; its members tell of the overlay.
    const at = before?.value.kind === 'map' && entry.value.kind === 'map' ? before.at : entry.at
    if (before === undefined) entries.push({ ...entry, value })
    else entries[index] = { key: entry.key, at, value }
  }
  return { kind: 'map', at: base?.kind === 'map' ? base.at : over.at, entries }
}
