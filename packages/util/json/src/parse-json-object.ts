/** Parses text that should be one JSON object and, when it is not, says where and what was expected. */

import type { JsonObject } from './types.ts'

export type ParsedJson =
  | { kind: 'object'; value: JsonObject }
  | { kind: 'invalid'; message: string; /** UTF-16 offset of the fault; absent when the text is JSON but no object. */ offset?: number }

/** Blank text is the empty object, because models leave the arguments of a call without any empty. */
export function parseJsonObject(text: string): ParsedJson {
  if (text.trim() === '') return { kind: 'object', value: {} }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return invalid(text, (error as Error).message)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { kind: 'object', value: value as JsonObject }
  const found = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`
  return { kind: 'invalid', message: `expected a JSON object, found ${found}` }
}

function invalid(text: string, reason: string): ParsedJson {
  const end = text.trimEnd().length
  const cut = isCut(reason, end)
  const offset = cut ? text.length : (positionIn(reason) ?? findFault(text))
  const what = reason.replace(/, ?(?:\.\.\.)?"[\s\S]*" is not valid JSON$/, '').replace(/ in JSON at position[\s\S]*$/, '').replace(/ at position[\s\S]*$/, '')
  const hint = cut ? ': the text ends too early, as if it had been cut' : ''
  return { kind: 'invalid', message: `not valid JSON at offset ${offset} of ${text.length}: ${what}${hint}`, offset }
}

/** V8 words it as `… at position 12 (line 1 column 13)`; for an unexpected token it quotes the text instead. */
function positionIn(reason: string): number | undefined {
  const position = reason.match(/ at position (\d+)/)?.[1]
  return position === undefined ? undefined : Number(position)
}

/** Whether more text could have made it valid. */
function isCut(reason: string, end: number): boolean {
  return /end of JSON input|Unterminated/.test(reason) || (positionIn(reason) ?? 0) >= end
}

/** The last offset of the shortest beginning that nothing could complete, by halving. */
function findFault(text: string): number {
  let [good, bad] = [0, text.length]
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    if (isCompletable(text.slice(0, middle))) good = middle
    else bad = middle
  }
  return bad - 1
}

function isCompletable(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    return isCut((error as Error).message, text.trimEnd().length)
  }
}
