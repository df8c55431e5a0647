/** Takes the values of secret variables out of text that somebody is going to read. Pure. */

import { namesSecretValue } from './secret-names.ts'

/** Shorter values would be found in innocent text. */
const LEAST = 5

/** What stands where a secret stood. */
const MARK = '[redacted]'

/**
 * The values that must not be shown, longest first. Leaves out what reads like
 * an ordinary word, a path or an address, which would take innocent text away.
 */
export function secretValues(env: NodeJS.ProcessEnv): string[] {
  const values = Object.entries(env).flatMap(([name, value]) => (value !== undefined && namesSecretValue(name) && looksSecret(value) ? [value] : []))
  return [...new Set(values)].sort((a, b) => b.length - a.length)
}

/** `text` with every one of `values` replaced by `[redacted]`; `text` itself when there is none. */
export function redactValues(text: string, values: readonly string[]): string {
  return values.reduce((rest, value) => (rest.includes(value) ? rest.replaceAll(value, MARK) : rest), text)
}

function looksSecret(value: string): boolean {
  if (value.length < LEAST || /^(?:[~./]|[a-z]:\\|[a-z+]+:\/\/)/i.test(value)) return false
  return /[A-Za-z]/.test(value) ? !/^(?:[a-z]+|[A-Z]?[a-z]+)$/.test(value) : value.length >= 8
}
