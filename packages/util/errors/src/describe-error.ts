/** Turns an error and the chain of its causes into one line that a person can act on. */

import { describeValue } from './describe-value.ts'

/** Deeper chains than this are cut: a cause may point back at its error, and an aggregate hold itself. */
const MOST_CAUSES = 5

/**
 * The messages along the `cause` chain, outermost first, joined by `: `.
 *
 * A message that the one before it already contains is left out, and a code
 * (`ECONNREFUSED`) is added where the message does not say it.
 */
export function describeError(error: unknown): string {
  const parts: string[] = []
  let current: unknown = error
  for (let depth = 0; depth < MOST_CAUSES && current !== undefined && current !== null; depth++) {
    const text = describeOne(current)
    if (text !== '' && !parts.some(part => part.includes(text))) parts.push(text)
    current = current instanceof Error ? current.cause : undefined
  }
  return parts.join(': ') || 'unknown error'
}

function describeOne(value: unknown, depth = 0): string {
  if (value instanceof AggregateError && value.errors.length > 0 && depth < MOST_CAUSES) {
    const inner = value.errors.filter(each => each !== value).map(each => describeOne(each, depth + 1)).filter(text => text !== '')
    return value.message === '' ? inner.join('; ') : `${value.message} (${inner.join('; ')})`
  }
  if (!(value instanceof Error)) return describeValue(value)
  const code = (value as { code?: unknown }).code
  // Only system codes add something; the codes of our own errors are for programs.
  const shown = typeof code === 'string' && /^(E[A-Z]+|UND_ERR_[A-Z_]+)$/.test(code) && !value.message.includes(code)
  return shown ? `${value.message || value.name} (${code})` : value.message || value.name
}
