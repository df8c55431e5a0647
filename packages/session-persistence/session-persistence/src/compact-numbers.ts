/**
 * Small whole numbers as short text: about a byte each, and less in runs. Pure.
 *
 *     4       a digit of base 36: 0 to 35
 *     B0      a capital and a digit: 36 for each letter from A on, and 36: 36 to 971
 *     (1200)  any other number, also a negative one
 *     1*500;  500 of the number before the star
 */

const BASE = 36
const CAPITAL_A = 65
const CAPITAL_Z = 90
const STAR = 42

/** The first number that a capital and a digit cannot say. */
const PAIRS_END = BASE * (CAPITAL_Z - CAPITAL_A + 2)

/** A shorter run is not shorter when it is written as one. */
const SHORTEST_RUN = 5

export function encodeNumbers(numbers: readonly number[]): string {
  const parts: string[] = []
  for (let i = 0; i < numbers.length; ) {
    const value = numbers[i] ?? 0
    let end = i + 1
    while (end < numbers.length && numbers[end] === value) end++
    const one = encodeNumber(value)
    parts.push(end - i >= SHORTEST_RUN ? `${one}*${end - i};` : one.repeat(end - i))
    i = end
  }
  return parts.join('')
}

function encodeNumber(value: number): string {
  if (value >= 0 && value < BASE) return value.toString(BASE)
  if (!(value >= BASE && value < PAIRS_END)) return `(${value})`
  return String.fromCharCode(CAPITAL_A - 1 + Math.floor(value / BASE)) + (value % BASE).toString(BASE)
}

/** Undefined when the text is none of ours, or holds more than `most` numbers. */
export function decodeNumbers(text: string, most: number): number[] | undefined {
  const numbers: number[] = []
  for (let at = 0; at < text.length; ) {
    const token = tokenAt(text, at)
    if (!token || numbers.length + token.times > most) return undefined
    for (let left = token.times; left > 0; left--) numbers.push(token.value)
    at = token.end
  }
  return numbers
}

/** What numbers come to without a list of them. */
export interface Totals {
  count: number
  sum: number
  /** The smallest number. */
  least: number
  /** The largest sum of the numbers up to one of them, or 0. */
  peak: number
}

/** Undefined as for `decodeNumbers`. */
export function totalNumbers(text: string, most: number): Totals | undefined {
  let [count, sum, least, peak] = [0, 0, Infinity, 0]
  for (let at = 0; at < text.length; ) {
    let value = digitAt(text, at)
    let times = 1
    // Most are a digit alone, and a log has as many of them as it has events.
    if (value >= 0 && text.charCodeAt(at + 1) !== STAR) at++
    else {
      const token = tokenAt(text, at)
      if (!token) return undefined
      ;({ value, times, end: at } = token)
    }
    count += times
    sum += value * times
    if (value < least) least = value
    if (sum > peak) peak = sum
  }
  return count > most ? undefined : { count, sum, least, peak }
}

interface Token {
  value: number
  times: number
  /** Where the next one begins. */
  end: number
}

function tokenAt(text: string, at: number): Token | undefined {
  const one = numberAt(text, at)
  if (!one || text.charCodeAt(one.end) !== STAR) return one && { ...one, times: 1 }
  const end = endOf(text, ';', one.end)
  const times = wholeNumber(text.slice(one.end + 1, end))
  return times === undefined || times < 1 || end === text.length ? undefined : { value: one.value, times, end: end + 1 }
}

function numberAt(text: string, at: number): { value: number; end: number } | undefined {
  const digit = digitAt(text, at)
  if (digit >= 0) return { value: digit, end: at + 1 }
  const capital = text.charCodeAt(at)
  if (capital >= CAPITAL_A && capital <= CAPITAL_Z) {
    const second = digitAt(text, at + 1)
    return second < 0 ? undefined : { value: BASE * (capital - CAPITAL_A + 1) + second, end: at + 2 }
  }
  const end = text[at] === '(' ? endOf(text, ')', at) : text.length
  const value = wholeNumber(text.slice(at + 1, end))
  return value === undefined || end === text.length ? undefined : { value, end: end + 1 }
}

/** Where `mark` stands; behind the text when it does not, so that nothing is read twice. */
function endOf(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from)
  return end < 0 ? text.length : end
}

/** What a digit of base 36 counts; -1 for other characters. */
function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code >= 48 && code <= 57) return code - 48
  return code >= 97 && code <= 122 ? code - 87 : -1
}

function wholeNumber(text: string): number | undefined {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined
}
