/** Compiles a JSON Schema of any current draft; throws when it is none. Loaded when a schema is first asked for. */

import type { JsonObject, JsonValue } from '@deepseek-ai/dsh-json'

/** More complaints than this help nobody. */
const MOST = 10

/** One sentence per violation; empty when the value fits. */
export type SchemaValidator = (value: JsonValue) => string[]

/** Throws the library's own error for what is not a schema, names an unknown keyword, or refers to what is not in it. */
export async function compileSchema(schema: JsonObject): Promise<SchemaValidator> {
  const [Ajv, addFormats] = await Promise.all([engineOf(schema), import('ajv-formats')])
  // Annotations of one's own are common and harmless; a misspelt type is neither, and still refused.
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false })
  addFormats.default.default(ajv as never)
  const validate = ajv.compile(schema)
  return value => {
    if (validate(value)) return []
    const sentences = (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath || 'the value'} ${message ?? 'does not fit'}${detail(params)}`)
    return [...new Set(sentences)].slice(0, MOST)
  }
}

/** A keyword may mean something else in another draft. */
async function engineOf(schema: JsonObject): Promise<typeof import('ajv').Ajv> {
  const draft = String(schema['$schema'] ?? '')
  if (/draft-0[67]/.test(draft)) return (await import('ajv')).Ajv
  if (/2019-09/.test(draft)) return (await import('ajv/dist/2019.js')).Ajv2019 as never
  return (await import('ajv/dist/2020.js')).Ajv2020 as never
}

function detail(params: Record<string, unknown>): string {
  const { additionalProperty, allowedValues } = params
  if (typeof additionalProperty === 'string') return ` ("${additionalProperty}")`
  return Array.isArray(allowedValues) ? ` (${allowedValues.map(value => JSON.stringify(value)).join(', ')})` : ''
}
