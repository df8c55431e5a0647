/** Reads how long a provider asks to wait. Pure: the clock is an argument. */

type Headers = Record<string, string | string[] | undefined>

/**
 * Milliseconds from `retry-after-ms`, or from `retry-after` as seconds or as an
 * HTTP date; undefined when neither is there or makes sense (negative, words).
 */
export function parseRetryAfter(headers: Headers, now: number): number | undefined {
  const precise = single(headers['retry-after-ms'])
  if (precise !== undefined && isCount(precise)) return Math.ceil(Number(precise))
  const value = single(headers['retry-after'])
  if (value === undefined) return undefined
  if (isCount(value)) return Math.ceil(Number(value) * 1000)
  // Date.parse takes "-1" and bare numbers for years, so a date has to begin with a weekday.
  if (!/^(mon|tue|wed|thu|fri|sat|sun)/i.test(value)) return undefined
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

function single(value: string | string[] | undefined): string | undefined {
  return (Array.isArray(value) ? value[0] : value)?.trim()
}

function isCount(value: string): boolean {
  return /^\d{1,12}(\.\d{1,6})?$/.test(value)
}
