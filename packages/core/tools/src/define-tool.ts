/** A short way to write a tool: the parameters are declared once, and the type of the arguments follows from them. */

import type { JsonObject } from '@deepseek-ai/dsh-json'
import type { ToolDefinition } from './types.ts'

/** One parameter. `required` is what the model must give; everything else is ordinary JSON Schema. */
export interface SchemaProp {
  type: 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array'
  required?: true
  description?: string
  enum?: readonly string[]
  minimum?: number
  maximum?: number
  minItems?: number
  properties?: SchemaSpec
  items?: SchemaProp
}

export type SchemaSpec = Readonly<Record<string, SchemaProp>>

type InferProp<P extends SchemaProp> = P extends { enum: readonly (infer E)[] }
  ? E
  : P['type'] extends 'string'
    ? string
    : P['type'] extends 'number' | 'integer'
      ? number
      : P['type'] extends 'boolean'
        ? boolean
        : P extends { type: 'array'; items: infer I extends SchemaProp }
          ? InferProp<I>[]
          : P extends { type: 'object'; properties: infer S extends SchemaSpec }
            ? InferArgs<S>
            : unknown

/** The arguments that a spec describes. */
export type InferArgs<S extends SchemaSpec> = { [K in keyof S as S[K] extends { required: true } ? K : never]: InferProp<S[K]> } & {
  [K in keyof S as S[K] extends { required: true } ? never : K]?: InferProp<S[K]>
}

export interface ToolSpec<S extends SchemaSpec> extends Omit<ToolDefinition<InferArgs<S>>, 'parameters'> {
  parameters: S
}

/** The definition to register. Arguments are validated by the registry before `execute` sees them. */
export function defineTool<const S extends SchemaSpec>(spec: ToolSpec<S>): ToolDefinition {
  return { ...spec, parameters: toJsonSchema(spec.parameters) } as unknown as ToolDefinition
}

/** An object schema that refuses keys it does not name. */
export function toJsonSchema(spec: SchemaSpec): JsonObject {
  const required = Object.keys(spec).filter(key => spec[key]?.required)
  const properties = Object.fromEntries(Object.entries(spec).map(([key, prop]) => [key, propToJsonSchema(prop)]))
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false }
}

function propToJsonSchema({ required: _, properties, items, enum: values, ...rest }: SchemaProp): JsonObject {
  return {
    ...(properties ? { ...toJsonSchema(properties) } : {}),
    ...rest,
    ...(values && { enum: [...values] }),
    ...(items && { items: propToJsonSchema(items) }),
  }
}
