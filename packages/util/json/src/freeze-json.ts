/** Freezes what is about to be kept of a log in one pass, however much there is of it. */

import { DEEPEST } from './is-json-value.ts'

/**
 * Freezes what `JSON.parse` gave, all the way down; false, and partly frozen,
 * where it is nested too deeply for what `findNonJson` accepts. Unlike
 * `deepFreeze` it does not ask what is frozen already, which costs more than freezing.
 */
export function freezeParsed(value: object, depth = 0): boolean {
  if (depth > DEEPEST) return false
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (!freezeInner(value[i], depth)) return false
  } else {
    for (const key in value) if (!freezeInner((value as Record<string, unknown>)[key], depth)) return false
  }
  Object.freeze(value)
  return true
}

function freezeInner(value: unknown, depth: number): boolean {
  return typeof value !== 'object' || value === null || freezeParsed(value, depth + 1)
}

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
