/** Checks arguments against a tool's schema and says what is wrong in words a model can act on. */

import type { JsonObject } from '@deepseek-ai/dsh-json'
import { nearest } from '@deepseek-ai/dsh-text'

/** More complaints than this help nobody. */
const MOST = 5

export interface ArgsValidator {
  /** One sentence per violation; empty when the arguments fit. */
  validate(args: JsonObject): string[]
}

/** Compiles a schema; the library is loaded with the first one. */
export async function createValidator(schema: JsonObject): Promise<ArgsValidator> {
  const { Validator } = await import('@cfworker/json-schema')
  const validator = new Validator(schema as never, '2020-12', false)
  return {
    validate(args) {
      const simple = [...missing(schema, args), ...unknown(schema, args)]
      if (simple.length > 0) return simple.slice(0, MOST)
      const { valid, errors } = validator.validate(args)
      if (valid) return []
      // The outer keywords (`properties`, `items`) only repeat that something below them failed.
      const leaves = errors.filter(({ keyword }) => !['properties', 'items', 'prefixItems', '$ref'].includes(keyword))
      const sentences = leaves.map(({ instanceLocation, error }) => `${locate(instanceLocation)}: ${error}`)
      return [...new Set(sentences)].slice(0, MOST)
    },
  }
}

function missing(schema: JsonObject, args: JsonObject): string[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return required.filter(key => typeof key === 'string' && !Object.hasOwn(args, key)).map(key => `"${String(key)}" is required`)
}

function unknown(schema: JsonObject, args: JsonObject): string[] {
  if (schema['additionalProperties'] !== false) return []
  const known = Object.keys((schema['properties'] as JsonObject | undefined) ?? {})
  return Object.keys(args).filter(key => !known.includes(key)).map(key => {
    const meant = nearest(key, known)
    return `there is no parameter "${key}"; ${meant ? `did you mean "${meant}"?` : `known: ${known.join(', ') || 'none'}`}`
  })
}

/** `#/edits/0/old_string` reads `edits[0].old_string`. */
function locate(pointer: string): string {
  const parts = pointer.replace(/^#\/?/, '').split('/').filter(part => part !== '')
  const path = parts.map(part => (/^\d+$/.test(part) ? `[${part}]` : `.${decodeURIComponent(part)}`)).join('')
  return path.replace(/^\./, '') || 'arguments'
}
