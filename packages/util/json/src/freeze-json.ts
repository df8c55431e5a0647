/** Checks and freezes in one pass what is about to be kept: `findNonJson` and `deepFreeze` would walk through it twice. */

import { DEEPEST } from './is-json-value.ts'

/** Whether `value` survives JSON unchanged; it is frozen all the way down then, and partly otherwise. `findNonJson` says what is wrong with it. */
export function freezeJson(value: unknown): boolean {
  return isFrozenBelow(value, 0)
}

function isFrozenBelow(value: unknown, depth: number): boolean {
  if (typeof value === 'object') return value === null || (depth <= DEEPEST && (Array.isArray(value) ? freezeArray(value, depth) : freezeObject(value, depth)))
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
}

function freezeArray(value: readonly unknown[], depth: number): boolean {
  for (let i = 0; i < value.length; i++) {
    if (!isFrozenBelow(value[i], depth + 1)) return false
  }
  Object.freeze(value)
  return true
}

function freezeObject(value: object, depth: number): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key]
    // Most are texts: asked here, they cost no call.
    if (typeof inner !== 'string' && !isFrozenBelow(inner, depth + 1)) return false
  }
  Object.freeze(value)
  return true
}
