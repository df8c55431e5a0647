/** Freezes plain data all the way down, so that it can be shared instead of cloned. */

/** Returns its argument. Stops at what is frozen already: frozen data is taken to be frozen below too. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const key in value) deepFreeze(value[key])
  return value
}
