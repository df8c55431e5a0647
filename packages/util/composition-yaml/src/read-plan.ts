/** Reads the composition file and every settings layer into one plan, or says everything that is wrong with them. */

import { isDeepStrictEqual } from 'node:util'
import { nearest } from '@deepseek-ai/dsh-text'
import type { PlanRow } from './plan-row.ts'
import type { Position } from './position.ts'
import { CompositionError, didYouMean, formatProblem, type Problem } from './problem.ts'
import type { RawRow } from './raw-row.ts'
import { RowReader, type IsTrusted } from './read-rows.ts'
import { readSetFlags, readSettings, toNode, type Settings } from './read-settings.ts'
import { resolveValue } from './resolve-value.ts'
import { SourceFiles, type Precompiled } from './source-files.ts'
import { isOwnPlugin, nameSetting, splitByTrust, type Untrusted } from './trust.ts'
import { mergeNodes, type YamlMap } from './yaml-node.ts'

/** A row that the command line mounts: the front door. */
export interface ExtraRow {
  id: string
  name: string
  config?: Record<string, unknown>
  required?: boolean
}

export interface PlanOptions {
  /** The composition file, absolute. */
  composition: string
  /** The user's `settings.yml`, absolute; it need not exist. */
  userSettings?: string
  /** The project's `.dsh/settings.yml`, absolute; it need not exist. */
  projectSettings?: string
  /** Whether everything in the project's settings, and in the files that its plugins include, may apply. Default false. */
  trusted?: boolean | IsTrusted
  /** `--set` flags: `row.path=value`. */
  set?: readonly string[]
  /** Appended with origin "command line"; a row of this id that the composition already has is switched on instead. */
  extraRows?: readonly ExtraRow[]
  /** Ids that settings may name although this plan does not mount them: the other front doors. */
  knownRows?: readonly string[]
  /** What `!env` reads. Default `process.env`. */
  env?: Readonly<Record<string, string | undefined>>
  /** Files parsed ahead of time, by absolute path: they are not read, and `yaml` is not imported for them. */
  precompiled?: Readonly<Record<string, Precompiled>>
}

export interface Plan {
  /** In the order of mounting. */
  rows: PlanRow[]
  model?: { value: string; position: Position }
  /** Settings of an untrusted project that do not apply. */
  untrusted: Untrusted[]
  /** Settings of the project that apply only because it is trusted. */
  trusted: Untrusted[]
  /** Every file that was read or looked for. */
  files: string[]
}

/**
 * The effective composition.
 *
 * Layers, later ones over earlier: composition file, user settings, project
 * settings, `--set`. Row configs merge deeply; single values replace, and so do lists but those of rules (`allow`, `ask`, `deny`), which add up.
 * Throws one `CompositionError` with all problems; reads files and nothing else.
 */
export async function readPlan(options: PlanOptions): Promise<Plan> {
  const files = new SourceFiles(options.precompiled)
  const { trusted: isTrusted = false } = options
  const judge: IsTrusted = typeof isTrusted === 'function' ? isTrusted : () => isTrusted
  const reader = new RowReader(files, judge)
  const rows = await reader.readFile(options.composition, 'composition')
  const layers = await readLayers(options, files, judge)
  const untrusted: Untrusted[] = []
  const trusted: Untrusted[] = []
  const applied: Settings[] = []
  for (const layer of layers) {
    const safe = layer.origin === 'project settings' ? withholdUntrusted(layer, rows, layer.isWhole ? trusted : untrusted) : layer
    const kept = layer.isWhole ? layer : safe
    if (kept.plugins !== undefined) rows.push(...(await reader.readList(kept.plugins, kept.file, kept.origin)))
    applied.push(kept)
  }
  addExtraRows(rows, options.extraRows ?? [])
  const { problems } = files
  refuseDuplicates(rows, problems)
  const waiting = untrusted.flatMap(({ setting }) => (setting.startsWith('plugins.') ? [setting.slice('plugins.'.length)] : []))
  const known = [...rows.map(row => row.id), ...(options.knownRows ?? []), ...waiting]
  for (const layer of applied) applySettings(rows, layer, known, problems)
  const plan = rows.map(row => resolveRow(row, options.env ?? process.env, problems))
  if (problems.length === 0) refuseTwins(plan, problems)
  if (problems.length > 0) throw new CompositionError(distinct(problems), files.files)
  const model = applied.findLast(layer => layer.model !== undefined)?.model
  return { rows: plan, ...(model === undefined ? {} : { model }), untrusted, trusted, files: files.files }
}

async function readLayers(options: PlanOptions, files: SourceFiles, isTrusted: IsTrusted): Promise<Settings[]> {
  const layers: Settings[] = []
  for (const [file, origin] of [[options.userSettings, 'user settings'], [options.projectSettings, 'project settings']] as const) {
    if (file === undefined) continue
    let isWhole = origin === 'user settings'
    const root = await files.read(file, true, bytes => void (isWhole ||= isTrusted(file, bytes)))
    if (root !== undefined) layers.push({ ...readSettings(root, origin, file, files.problems), isWhole })
  }
  layers.push(readSetFlags(options.set ?? [], files.problems))
  return layers
}

/** What is left of a project's settings before it is trusted; `present` are the rows that others brought. */
function withholdUntrusted(layer: Settings, present: readonly RawRow[], untrusted: Untrusted[]): Settings {
  const { plugins, ...rest } = layer
  for (const item of plugins?.kind === 'list' ? plugins.items : plugins === undefined ? [] : [plugins]) {
    const id = item.kind === 'map' ? item.entries.find(entry => entry.key === 'id')?.value : undefined
    const label = id?.kind === 'scalar' ? nameSetting('plugins', String(id.value)) : 'plugins'
    untrusted.push({ setting: label, position: item.at })
  }
  for (const { id, position } of layer.disable) untrusted.push({ setting: nameSetting('disable', id), position })
  const rows = layer.rows.flatMap(entry => {
    const row = present.find(({ id }) => id === entry.key)
    // A replacement would also drop values that others set: it needs trust as a whole.
    if (entry.value.kind !== 'map' || (row !== undefined && !isOwnPlugin(row.name))) {
      untrusted.push({ setting: nameSetting('rows', entry.key), position: entry.at })
      return []
    }
    return [{ ...entry, value: splitByTrust(entry.key, entry.value, untrusted) }]
  })
  return { ...rest, rows, disable: [] }
}

function addExtraRows(rows: RawRow[], extra: readonly ExtraRow[]): void {
  for (const { id, name, config, required } of extra) {
    const position: Position = { file: 'command line', line: 0, column: 0 }
    const index = rows.findIndex(row => row.id === id)
    const present = rows[index]
    if (present === undefined) {
      const node = config === undefined ? {} : { config: toNode(config, position) as YamlMap }
      rows.push({ id, name, ...node, required: required ?? false, origin: 'command line', position })
      continue
    }
    const { disabled: _, ...on } = present
    rows[index] = { ...on, required: present.required || (required ?? false) }
  }
}

function refuseDuplicates(rows: readonly RawRow[], problems: Problem[]): void {
  const first = new Map<string, RawRow>()
  for (const row of rows) {
    const before = first.get(row.id)
    if (before === undefined) first.set(row.id, row)
    else problems.push({ code: 'duplicate-row', message: `the row id "${row.id}" is already taken at ${before.position.file}:${before.position.line}`, position: row.position })
  }
}

function applySettings(rows: RawRow[], layer: Settings, known: readonly string[], problems: Problem[]): void {
  const find = (id: string, position: Position): RawRow | undefined => {
    const row = rows.find(candidate => candidate.id === id)
    if (row === undefined && !known.includes(id)) {
      problems.push({ code: 'unknown-row', message: `unknown row "${id}"${didYouMean(nearest(id, known))}`, position })
    }
    return row
  }
  for (const { key, at, value } of layer.rows) {
    const row = find(key, at)
    if (row !== undefined) row.config = mergeNodes(row.config, value) as YamlMap
  }
  for (const { id, position } of layer.disable) {
    const row = find(id, position)
    if (row !== undefined) row.disabled = { kind: 'scalar', at: position, value: true }
  }
}

function resolveRow(row: RawRow, env: NonNullable<PlanOptions['env']>, problems: Problem[]): PlanRow {
  const { config, disabled: node, ...rest } = row
  const disabled = node === undefined ? false : resolveDisabled(node, env, problems)
  const base = { ...rest, disabled, provenance: {} }
  if (config === undefined) return base
  const { value, provenance, problems: found } = resolveValue(config, env)
  // A row that does not run needs no variables.
  if (!disabled) problems.push(...found)
  return { ...base, config: value as Record<string, unknown>, provenance }
}

const BOOLEANS: Record<string, boolean> = { true: true, 1: true, yes: true, on: true, false: false, 0: false, no: false, off: false }

function resolveDisabled(node: NonNullable<RawRow['disabled']>, env: NonNullable<PlanOptions['env']>, problems: Problem[]): boolean {
  const { value, problems: found } = resolveValue(node, env)
  problems.push(...found)
  if (found.length > 0 || typeof value === 'boolean') return value === true
  const read = BOOLEANS[String(value).toLowerCase()]
  if (read !== undefined) return read
  const name = node.kind === 'env' ? node.name : ''
  problems.push({ code: 'bad-value', message: `"disabled" reads the environment variable ${name}, which is neither true nor false`, position: node.at })
  return true
}

/** The same plugin with the same config under two ids is one too many. */
function refuseTwins(rows: readonly PlanRow[], problems: Problem[]): void {
  const active = rows.filter(row => !row.disabled)
  active.forEach((row, index) => {
    const twin = active.slice(0, index).find(other => other.id !== row.id && other.name === row.name && isDeepStrictEqual(other.config, row.config))
    if (twin === undefined) return
    problems.push({ code: 'duplicate-plugin', message: `row "${row.id}" mounts ${row.name} with the same config as row "${twin.id}"`, position: row.position })
  })
}

function distinct(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map(problem => [formatProblem(problem), problem])).values()]
}
