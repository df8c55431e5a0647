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
  const pattern = /([0-9a-z])|\((-?\d{1,15})\)/y
  const run = /\*(\d{1,10});/y
  for (let at = 0; at < text.length; ) {
    pattern.lastIndex = at
    const [all, digit, whole] = pattern.exec(text) ?? []
    if (all === undefined) return undefined
    at += all.length
    run.lastIndex = at
    const [suffix = '', times = '1'] = run.exec(text) ?? []
    at += suffix.length
    if (numbers.length + Number(times) > most) return undefined
    const value = digit === undefined ? Number(whole) : Number.parseInt(digit, 36)
    for (let n = Number(times); n > 0; n--) numbers.push(value)
  }
  return numbers
}
