/** Parses text that should be one JSON object and, when it is not, says where and what was expected. */

import type { JsonObject } from './types.ts'

export type ParsedJson =
  | { kind: 'object'; value: JsonObject }
  | { kind: 'invalid'; message: string; /** UTF-16 offset of the fault, when the engine tells. */ offset?: number }

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
  // V8 words it as `… at position 12 (line 1 column 13)`, or as `Unexpected end of JSON input`.
  const position = reason.match(/at position (\d+)/)?.[1]
  const cut = /end of JSON input|Unterminated/.test(reason)
  const offset = position !== undefined ? Number(position) : cut ? text.length : undefined
  const what = reason.replace(/, ?"[\s\S]*" is not valid JSON$/, '').replace(/ in JSON at position[\s\S]*$/, '').replace(/ at position[\s\S]*$/, '')
  const where = offset === undefined ? '' : ` at offset ${offset} of ${text.length}`
  const hint = cut ? ': the text ends too early, as if it had been cut' : ''
  return { kind: 'invalid', message: `not valid JSON${where}: ${what}${hint}`, ...(offset !== undefined && { offset }) }
}
