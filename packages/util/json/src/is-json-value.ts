/** Tells whether a value survives JSON unchanged: what goes into the log has to. */

/** Deeper nesting than this is refused, so that a cycle ends here and not in a stack overflow. */
const DEEPEST = 200

export function isJsonValue(value: unknown): boolean {
  return findNonJson(value) === undefined
}

/**
 * Where and why `value` would not survive `JSON.parse(JSON.stringify(value))`;
 * `undefined` when it would. The answer reads like `data.items[2] is a function`.
 *
 * Refused: `undefined` anywhere, NaN and infinities, bigint, functions, symbols,
 * class instances (Map, Date …), sparse arrays, cycles.
 */
export function findNonJson(value: unknown, path = 'value', depth = 0): string | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined
    case 'number':
      return Number.isFinite(value) ? undefined : `${path} is ${value}`
    case 'object':
      if (value === null) return undefined
      if (depth > DEEPEST) return `${path} is nested deeper than ${DEEPEST} levels or cyclic`
      return Array.isArray(value) ? inArray(value, path, depth) : inObject(value, path, depth)
    default:
      return `${path} is ${typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`}`
  }
}

function inArray(value: readonly unknown[], path: string, depth: number): string | undefined {
  for (let i = 0; i < value.length; i++) {
    const found = findNonJson(value[i], `${path}[${i}]`, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

function inObject(value: object, path: string, depth: number): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return `${path} is an instance of ${value.constructor?.name ?? 'a class'}`
  for (const key in value) {
    const found = findNonJson((value as Record<string, unknown>)[key], `${path}.${key}`, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}
