/** Checks a row's config against its plugin's schema before anything starts, with a position for every complaint. */

import type { PlanRow, Position } from '@deepseek-ai/dsh-composition-yaml'
import type { Plugin } from 'cordis'
import { findUnknownKeys } from 'schemastery/strict'
import { isSecretName } from './mask.ts'
import type { RowProblem, RowProblemCode } from './row-problem.ts'
import { findSchema } from './find-schema.ts'

export interface CheckedConfig {
  /** With the text of environment variables turned into the numbers and booleans that the schema wants. */
  config: Record<string, unknown> | undefined
  problems: RowProblem[]
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/**
 * The config that the plugin gets, or what is wrong with it. A plugin without a
 * schema takes anything. A config with `!!js` in it is checked for unknown keys
 * only; its values are known when the row starts.
 */
export function checkConfig(plugin: Plugin, row: PlanRow): CheckedConfig {
  const schema = (plugin as { Config?: StandardSchema }).Config
  if (schema === undefined || row.config === undefined) return { config: row.config, problems: schema === undefined ? [] : validate(schema, row, undefined) }
  const config = clone(row.config)
  const problems = convertEnv(schema, row, config)
  for (const { path, suggestion } of findUnknownKeys(schema, config)) {
    if (path.includes('__jsExpr')) continue
    const hint = suggestion === undefined ? '' : ` (did you mean "${suggestion}"?)`
    problems.push(problem(row, 'unknown-key', path, `unknown key "${path.join('.')}"${hint}`))
  }
  if (problems.length === 0 && !hasExpression(config)) problems.push(...validate(schema, row, config))
  return { config, problems }
}

interface StandardSchema {
  '~standard'?: { validate: (value: unknown) => { issues?: ReadonlyArray<{ message: string; path?: ReadonlyArray<PropertyKey | { key: PropertyKey }> }> } | PromiseLike<unknown> }
}

function validate(schema: StandardSchema, row: PlanRow, config: unknown): RowProblem[] {
  // A validator may write adapted values into its input.
  const result = schema['~standard']?.validate(clone(config))
  if (result === undefined || 'then' in result) return []
  return (result.issues ?? []).map(({ message, path = [] }) => {
    const keys = path.map(part => String(typeof part === 'object' ? part.key : part))
    // Messages of validators quote the value.
    const secret = keys.some(isSecretName) && !message.includes('required')
    return problem(row, 'bad-value', keys, secret ? `${keys.join('.')} has a value of the wrong kind` : message.replace(/^\$\.?/, ''))
  })
}

/** Writes converted values into `config`; what cannot be converted is told without its value. */
function convertEnv(schema: unknown, row: PlanRow, config: Record<string, unknown>): RowProblem[] {
  const problems: RowProblem[] = []
  for (const [path, { env }] of Object.entries(row.provenance)) {
    if (env === undefined) continue
    const keys = path.split('.')
    const wanted = findSchema(schema, keys)?.type
    const text = readPath(config, keys)
    if (typeof text !== 'string' || (wanted !== 'number' && wanted !== 'boolean')) continue
    const value = wanted === 'number' ? (NUMBER.test(text) ? Number(text) : undefined) : { true: true, false: false }[text]
    if (value === undefined) problems.push(problem(row, 'bad-value', keys, `${path} must be a ${wanted}, and the environment variable ${env} holds none`))
    else writePath(config, keys, value)
  }
  return problems
}

function readPath(config: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], config)
}

function writePath(config: Record<string, unknown>, keys: readonly string[], value: unknown): void {
  const holder = readPath(config, keys.slice(0, -1)) as Record<string, unknown> | undefined
  const last = keys.at(-1)
  if (holder !== undefined && last !== undefined) holder[last] = value
}

/** Configs are plain values; `structuredClone` would do, at ten times the cost. */
function clone<T>(value: T): T {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(clone) as T
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, clone(item)])) as T
}

function hasExpression(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  return '__jsExpr' in value || Object.values(value).some(hasExpression)
}

function problem(row: PlanRow, code: RowProblemCode, path: readonly string[], message: string): RowProblem {
  return { code, row: row.id, message, position: positionOf(row, path) }
}

/** Where the value was written, or the nearest thing around it. */
function positionOf(row: PlanRow, path: readonly string[]): Position {
  for (let length = path.length; length > 0; length--) {
    const found = row.provenance[path.slice(0, length).join('.')]
    if (found !== undefined) return found.position
  }
  return row.position
}
