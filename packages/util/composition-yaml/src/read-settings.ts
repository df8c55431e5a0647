/** Reads one settings layer: a file of the user or of the project, or the `--set` flags. */

import { nearest } from '@deepseek-ai/dsh-text'
import type { Origin } from './plan-row.ts'
import type { Position } from './position.ts'
import { didYouMean, type Problem, type ProblemCode } from './problem.ts'
import { describeNode, type YamlEntry, type YamlMap, type YamlNode } from './yaml-node.ts'

/** One layer, checked for shape only: whether its rows exist is known when all are. */
export interface Settings {
  origin: Origin
  file: string
  /** All of it may apply. */
  isWhole: boolean
  model?: { value: string; position: Position }
  /** Row id → config to lay over. */
  rows: YamlEntry[]
  disable: Array<{ id: string; position: Position }>
  plugins?: YamlNode
}

const KEYS = ['model', 'rows', 'disable', 'plugins']

/** Reads a settings file. What is wrong with it goes to `problems`. */
export function readSettings(root: YamlNode, origin: Origin, file: string, problems: Problem[]): Settings {
  const settings: Settings = { origin, file, isWhole: origin !== 'project settings', rows: [], disable: [] }
  const refuse = (code: ProblemCode, message: string, position: Position): void => void problems.push({ code, message, position })
  if (root.kind === 'scalar' && root.value === null) return settings
  if (root.kind !== 'map') {
    refuse('bad-value', `settings must be a map with ${KEYS.join(', ')}, not ${describeNode(root)}`, root.at)
    return settings
  }
  for (const { key, at, value } of root.entries) {
    if (value.kind === 'scalar' && value.value === null && KEYS.includes(key)) continue
    if (key === 'model') settings.model = readModel(value, at, refuse)
    else if (key === 'rows') settings.rows = readRowConfigs(value, at, refuse)
    else if (key === 'disable') settings.disable = readDisable(value, at, refuse)
    else if (key === 'plugins') settings.plugins = value
    else refuse('unknown-key', `unknown setting "${key}"${didYouMean(nearest(key, KEYS))}`, at)
  }
  if (origin === 'project settings') refuseJs(root, refuse)
  return settings
}

type Refuse = (code: ProblemCode, message: string, position: Position) => void

function readModel(value: YamlNode, at: Position, refuse: Refuse): Settings['model'] {
  if (value.kind === 'scalar' && typeof value.value === 'string') return { value: value.value, position: at }
  refuse('bad-value', `"model" must be text, not ${describeNode(value)}`, at)
  return undefined
}

function readRowConfigs(value: YamlNode, at: Position, refuse: Refuse): YamlEntry[] {
  if (value.kind !== 'map') {
    refuse('bad-value', `"rows" must be a map from row ids to config, not ${describeNode(value)}`, at)
    return []
  }
  return value.entries.filter(entry => {
    const { kind } = entry.value.kind === 'replace' ? entry.value.value : entry.value
    if (kind === 'map') return true
    const empty = entry.value.kind === 'scalar' && entry.value.value === null
    if (!empty) refuse('bad-value', `the settings of row "${entry.key}" must be a map, not ${describeNode(entry.value)}`, entry.at)
    return false
  })
}

function readDisable(value: YamlNode, at: Position, refuse: Refuse): Settings['disable'] {
  if (value.kind !== 'list') {
    refuse('bad-value', `"disable" must be a list of row ids, not ${describeNode(value)}`, at)
    return []
  }
  return value.items.flatMap(item => {
    if (item.kind === 'scalar' && typeof item.value === 'string') return [{ id: item.value, position: item.at }]
    refuse('bad-value', `"disable" must be a list of row ids, not of ${describeNode(item)}`, item.at)
    return []
  })
}

function refuseJs(node: YamlNode, refuse: Refuse): void {
  if (node.kind === 'js') refuse('js-forbidden', '!!js is not honoured in the settings of a project; use !env, or put it into your own settings', node.at)
  else if (node.kind === 'list') for (const item of node.items) refuseJs(item, refuse)
  else if (node.kind === 'map') for (const entry of node.entries) refuseJs(entry.value, refuse)
  else if (node.kind === 'replace') refuseJs(node.value, refuse)
}

/**
 * The `--set` flags as a layer. `row.path.to.key=value`; the value is JSON where
 * it parses as JSON and text otherwise. `model=NAME` sets the model. Messages
 * name the flag's path and never its value, which may be a secret.
 */
export function readSetFlags(flags: readonly string[], problems: Problem[]): Settings {
  const settings: Settings = { origin: 'command line', file: '--set', isWhole: true, rows: [], disable: [] }
  for (const flag of flags) {
    const equals = flag.indexOf('=')
    const path = equals < 0 ? flag : flag.slice(0, equals)
    const position: Position = { file: `--set ${path}`, line: 0, column: 0 }
    const [row, ...keys] = path.split('.')
    const isModel = path === 'model'
    if (equals < 0 || row === undefined || (keys.length === 0 && !isModel) || keys.includes('') || row === '') {
      problems.push({ code: 'bad-value', message: 'expected row.path=value', position })
      continue
    }
    const text = flag.slice(equals + 1)
    if (isModel) settings.model = { value: text, position }
    else settings.rows.push({ key: row, at: position, value: nest(keys, toNode(parseFlagValue(text), position)) })
  }
  return settings
}

function parseFlagValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // Text that is no JSON is meant as it stands.
    if (error instanceof SyntaxError) return text
    throw error
  }
}

function nest(keys: readonly string[], value: YamlNode): YamlMap {
  const [key = '', ...rest] = keys
  return { kind: 'map', at: value.at, entries: [{ key, at: value.at, value: rest.length === 0 ? value : nest(rest, value) }] }
}

/** A plain JSON value as a node; `literal`, since nothing in it is to be expanded. */
export function toNode(value: unknown, at: Position): YamlNode {
  if (Array.isArray(value)) return { kind: 'list', at, items: value.map(item => toNode(item, at)) }
  if (value !== null && typeof value === 'object') {
    return { kind: 'map', at, entries: Object.entries(value).map(([key, item]) => ({ key, at, value: toNode(item, at) })) }
  }
  return { kind: 'scalar', at, value: value as string | number | boolean | null, literal: true }
}
