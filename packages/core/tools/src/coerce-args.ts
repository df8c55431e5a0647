/**
 * Undoes what models are known to do to arguments, where the schema leaves no
 * doubt: a number or boolean in quotes, an array or object written as a string,
 * null for an optional parameter. Pure; what it cannot repair stays as it is
 * and is reported by validation.
 */

import type { JsonObject, JsonValue } from '@deepseek-ai/dsh-json'

export function coerceArgs(schema: JsonObject, args: JsonObject): JsonObject {
  const properties = asObject(schema['properties'])
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const kept: [string, JsonValue][] = []
  for (const [key, value] of Object.entries(args)) {
    const prop = properties && Object.hasOwn(properties, key) ? asObject(properties[key]) : undefined
    if (value === null && !required.includes(key) && !allows(prop, 'null')) continue
    kept.push([key, prop ? coerce(prop, value) : value])
  }
  // A key may be named __proto__, so nothing is assigned.
  return Object.fromEntries(kept)
}

function coerce(schema: JsonObject, value: JsonValue): JsonValue {
  if (typeof value === 'string' && !allows(schema, 'string')) return fromText(schema, value)
  if (Array.isArray(value)) {
    const items = asObject(schema['items'])
    return items ? value.map(item => coerce(items, item)) : value
  }
  return typeof value === 'object' && value !== null && schema['properties'] ? coerceArgs(schema, value) : value
}

function fromText(schema: JsonObject, value: string): JsonValue {
  const parsed = tryParse(value)
  const type = parsed === undefined ? undefined : typeOf(parsed)
  if (parsed === undefined || type === undefined) return value
  const fits = allows(schema, type) || (type === 'integer' && allows(schema, 'number'))
  return fits ? coerce(schema, parsed) : value
}

function tryParse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value
}

/** A schema without a type allows everything. */
function allows(schema: JsonObject | undefined, type: string): boolean {
  const declared = schema?.['type']
  if (declared === undefined) return true
  return Array.isArray(declared) ? declared.includes(type) : declared === type
}

function asObject(value: JsonValue | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
}
