/**
 * Small whole numbers as short text: about a byte each, and less in runs. Pure.
 *
 *     4       a digit of base 36: 0 to 35
 *     (300)   any other number, also a negative one
 *     1*500;  500 of the number before the star
 */

/** A shorter run is not shorter when it is written as one. */
const SHORTEST_RUN = 5

export function encodeNumbers(numbers: readonly number[]): string {
  const parts: string[] = []
  for (let i = 0; i < numbers.length; ) {
    const value = numbers[i] ?? 0
    let end = i + 1
    while (end < numbers.length && numbers[end] === value) end++
    const digit = value >= 0 && value < 36 ? value.toString(36) : `(${value})`
    parts.push(end - i >= SHORTEST_RUN ? `${digit}*${end - i};` : digit.repeat(end - i))
    i = end
  }
  return parts.join('')
}

/** Undefined when the text is none of ours, or holds more than `most` numbers. */
export function decodeNumbers(text: string, most: number): number[] | undefined {
  const numbers: number[] = []
  const count = visitNumbers(text, most, (value, times) => {
    for (let left = times; left > 0; left--) numbers.push(value)
  })
  return count === undefined ? undefined : numbers
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
  let [sum, least, peak] = [0, Infinity, 0]
  const count = visitNumbers(text, most, (value, times) => {
    sum += value * times
    if (value < least) least = value
    if (sum > peak) peak = sum
  })
  return count === undefined ? undefined : { count, sum, least, peak }
}

/** How many there are; undefined where `decodeNumbers` is. */
function visitNumbers(text: string, most: number, visit: (value: number, times: number) => void): number | undefined {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    let value: number | undefined = digitAt(text, at)
    let times: number | undefined = 1
    if (value < 0) {
      const end = endOf(text, ')', at)
      value = text[at] === '(' ? wholeNumber(text.slice(at + 1, end)) : undefined
      at = end
    }
    if (text[at + 1] === '*') {
      const end = endOf(text, ';', at)
      times = wholeNumber(text.slice(at + 2, end))
      at = end
    }
    if (value === undefined || times === undefined || times < 1 || at === text.length || count + times > most) return undefined
    visit(value, times)
    count += times
  }
  return count
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
