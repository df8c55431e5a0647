/** Finds the schema of one value inside the schema of a config. */

/** The parts of a schema node that are looked at. */
export interface SchemaNode {
  type: string
  dict?: Record<string, SchemaNode>
  inner?: SchemaNode
  list?: SchemaNode[]
}

/** The node that judges the value at `path`; undefined where the shape is open or nothing is known. */
export function findSchema(schema: unknown, path: readonly string[]): SchemaNode | undefined {
  const node = schema as SchemaNode | undefined
  if (typeof node !== 'function' && typeof node !== 'object') return undefined
  if (node.type === 'transform') return findSchema(node.inner, path)
  if (node.type === 'intersect' || node.type === 'union') {
    for (const member of node.list ?? []) {
      const found = findSchema(member, path)
      if (found !== undefined) return found
    }
    return undefined
  }
  const [key, ...rest] = path
  if (key === undefined) return node
  if (node.type === 'object') return findSchema(node.dict?.[key], rest)
  if (node.type === 'dict' || node.type === 'array') return findSchema(node.inner, rest)
  return node.type === 'tuple' ? findSchema(node.list?.[Number(key)], rest) : undefined
}
