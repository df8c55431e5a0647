/** Tells whether a value survives JSON unchanged: what goes into the log has to. */

/** Deeper nesting than this is refused, so that a cycle ends here and not in a stack overflow. */
export const DEEPEST = 200

/** What is wrong, and the keys that lead to it, innermost first: spelt out only when there is a fault. */
interface Fault {
  says: string
  keys: (string | number)[]
}

export function isJsonValue(value: unknown): boolean {
  return findFault(value, 0) === undefined
}

/**
 * Where and why `value` would not survive `JSON.parse(JSON.stringify(value))`;
 * `undefined` when it would. The answer reads like `data.items[2] is a function`.
 *
 * Refused: `undefined` anywhere, NaN and infinities, bigint, functions, symbols,
 * class instances (Map, Date …), sparse arrays, cycles. Not looked for: symbol
 * keys and extra properties of arrays, which are lost, and -0, which becomes 0.
 */
export function findNonJson(value: unknown, path = 'value'): string | undefined {
  const fault = findFault(value, 0)
  return fault && `${path}${fault.keys.reverse().map(renderKey).join('')} ${fault.says}`
}

function findFault(value: unknown, depth: number): Fault | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined
    case 'number':
      return Number.isFinite(value) ? undefined : { says: `is ${value}`, keys: [] }
    case 'object':
      if (value === null) return undefined
      if (depth > DEEPEST) return { says: `is nested deeper than ${DEEPEST} levels or cyclic`, keys: [] }
      return Array.isArray(value) ? inArray(value, depth) : inObject(value, depth)
    default:
      return { says: typeof value === 'undefined' ? 'is undefined' : `is a ${typeof value}`, keys: [] }
  }
}

function inArray(value: readonly unknown[], depth: number): Fault | undefined {
  for (let i = 0; i < value.length; i++) {
    const fault = findFault(value[i], depth + 1)
    if (fault) return below(i, fault)
  }
  return undefined
}

function inObject(value: object, depth: number): Fault | undefined {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return { says: `is an instance of ${value.constructor?.name ?? 'a class'}`, keys: [] }
  for (const key in value) {
    const fault = findFault((value as Record<string, unknown>)[key], depth + 1)
    if (fault) return below(key, fault)
  }
  return undefined
}

function below(key: string | number, fault: Fault): Fault {
  fault.keys.push(key)
  return fault
}

function renderKey(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
}
