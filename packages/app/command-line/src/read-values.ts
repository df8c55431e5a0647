/** Reads the values of options; each throws `UsageError` with what the option takes. Pure. */

import { nearest } from '@deepseek-ai/dsh-text'
import { UsageError } from './usage-error.ts'

/** An empty value is a variable that a script forgot to set. */
export function notEmpty(option: string, value: string | undefined): string | undefined {
  if (value?.trim() === '') throw new UsageError(`${option} takes a value that is not empty`)
  return value
}

/** One of a few words. */
export function oneOf<T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find(each => each === value)
  if (found !== undefined) return found
  const meant = nearest(value, allowed)
  throw new UsageError(`${option} is one of ${allowed.join(', ')}, not "${value}"${meant ? `; did you mean ${meant}?` : ''}`)
}

/** A count. */
export function positiveInteger(option: string, value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value)
  throw new UsageError(`${option} takes a whole number from 1, not "${value}"`)
}

/** An amount. */
export function positiveNumber(option: string, value: string): number {
  const number = /^\d{1,9}(?:\.\d{1,9})?$/.test(value) ? Number(value) : 0
  if (number > 0) return number
  throw new UsageError(`${option} takes a number above 0 such as 2 or 0.50, not "${value}"`)
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, '': 1000, m: 60_000, h: 3_600_000 }

/** The longest that a timer can wait: 2^31 - 1 milliseconds. */
const LONGEST_MS = 2_147_483_647

/** `90`, `90s`, `1.5m`, `2h`, `500ms`, in milliseconds; a bare number is seconds. */
export function parseDuration(option: string, value: string): number {
  const [, amount, unit = ''] = value.match(/^(\d+(?:\.\d+)?)(ms|s|m|h)?$/) ?? []
  const result = Math.round(Number(amount) * (UNITS[unit] ?? Number.NaN))
  if (result >= 1 && result <= LONGEST_MS) return result
  throw new UsageError(`${option} takes a duration such as 90, 90s, 5m or 1h (up to 24 days), not "${value}"`)
}
