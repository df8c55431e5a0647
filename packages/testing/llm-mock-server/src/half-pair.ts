/** Finds half a surrogate pair: JSON escapes carry them past the check for UTF-8. Pure. */

import type { JsonValue } from '@deepseek-ai/dsh-json'

/** Says where the first one stands, in a key or a value; undefined when there is none. `path` names the whole. */
export function halfPair(value: JsonValue, path = 'body'): string | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : `${path} holds half a surrogate pair`
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const found = key.isWellFormed() ? halfPair(inner, `${path}.${key}`) : `${path} has a key with half a surrogate pair`
    if (found !== undefined) return found
  }
  return undefined
}
