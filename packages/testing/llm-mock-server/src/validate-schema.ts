/** Checks tool declarations against the subset of JSON Schema that strict providers accept. Pure. */

import type { JsonObject, JsonValue } from '@deepseek-ai/dsh-json'

/** What names of tools and ids of calls may look like. */
export const LEGAL_NAME = /^[a-zA-Z0-9_-]{1,64}$/

const MOST_TOOLS = 128
const DEEPEST = 10
const TYPES: ReadonlySet<string> = new Set(['object', 'string', 'number', 'integer', 'boolean', 'array', 'null'])
const KEYWORDS: ReadonlySet<string> = new Set([
  'type', 'properties', 'required', 'items', 'enum', 'const', 'anyOf', 'description', 'title', 'default', 'examples',
  'additionalProperties', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength',
  'maxLength', 'minItems', 'maxItems', 'uniqueItems', 'pattern', 'format',
])

/** The first thing wrong with the list of tools; undefined when nothing is. */
export function findBadTool(tools: JsonValue | undefined): string | undefined {
  if (tools === undefined) return undefined
  if (!Array.isArray(tools) || tools.length === 0) return 'tools must be a non-empty array'
  if (tools.length > MOST_TOOLS) return `tools holds ${tools.length} functions; at most ${MOST_TOOLS} are allowed`
  const names = new Set<string>()
  for (const [index, tool] of tools.entries()) {
    const found = badTool(tool, names)
    if (found !== undefined) return `tools[${index}]${found}`
  }
  return undefined
}

function badTool(tool: JsonValue, names: Set<string>): string | undefined {
  if (!isObject(tool) || tool.type !== 'function') return '.type must be "function"'
  const { function: declared } = tool
  if (!isObject(declared)) return '.function must be an object'
  const { name, description, parameters, strict } = declared
  if (typeof name !== 'string' || !LEGAL_NAME.test(name)) return `.function.name ${JSON.stringify(name)} does not match ${LEGAL_NAME.source}`
  if (names.has(name)) return `.function.name "${name}" is declared twice`
  names.add(name)
  if (description !== undefined && typeof description !== 'string') return '.function.description must be a string'
  if (parameters === undefined) return undefined
  if (!isObject(parameters) || parameters.type !== 'object') return '.function.parameters must be a schema whose type is "object"'
  return badSchema(parameters, '.function.parameters', { depth: 0, strict: strict === true })
}

interface Where {
  depth: number
  strict: boolean
}

function badSchema(schema: JsonValue, path: string, where: Where): string | undefined {
  if (!isObject(schema)) return `${path} must be an object`
  if (where.depth > DEEPEST) return `${path} is nested deeper than ${DEEPEST}`
  const unknown = Object.keys(schema).find(key => !KEYWORDS.has(key))
  if (unknown !== undefined) return `${path} uses the unsupported keyword "${unknown}"`
  const { type, anyOf, additionalProperties } = schema
  if (type !== undefined && (typeof type !== 'string' || !TYPES.has(type))) return `${path}.type ${JSON.stringify(type)} is not one JSON type`
  if (schema.enum !== undefined && (!Array.isArray(schema.enum) || schema.enum.length === 0)) return `${path}.enum must be a non-empty array`
  if (additionalProperties !== undefined && typeof additionalProperties !== 'boolean') return `${path}.additionalProperties must be a boolean`
  const inner = { ...where, depth: where.depth + 1 }
  if (anyOf !== undefined) {
    if (!Array.isArray(anyOf) || anyOf.length === 0) return `${path}.anyOf must be a non-empty array`
    return firstOf(anyOf.map((entry, i) => badSchema(entry, `${path}.anyOf[${i}]`, inner)))
  }
  if (type === 'array') return schema.items === undefined ? `${path} is an array without items` : badSchema(schema.items, `${path}.items`, inner)
  return type === 'object' ? badObject(schema, path, inner) : undefined
}

function badObject(schema: JsonObject, path: string, inner: Where): string | undefined {
  const { properties = {}, required = [] } = schema
  if (!isObject(properties)) return `${path}.properties must be an object`
  if (!Array.isArray(required)) return `${path}.required must be an array`
  const missing = required.find(key => typeof key !== 'string' || !Object.hasOwn(properties, key))
  if (missing !== undefined) return `${path}.required names ${JSON.stringify(missing)}, which is not a property`
  if (inner.strict && (schema.additionalProperties !== false || required.length !== Object.keys(properties).length)) {
    return `${path} is strict and must forbid additional properties and require all of its own`
  }
  return firstOf(Object.entries(properties).map(([key, value]) => badSchema(value, `${path}.properties.${key}`, inner)))
}

function firstOf(found: (string | undefined)[]): string | undefined {
  return found.find(message => message !== undefined)
}

/** A JSON object: neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
