/** Reads a list of rows: checks their keys, and puts the rows of groups and included files in their place. */

import { dirname, resolve } from 'node:path'
import { nearest } from '@deepseek-ai/dsh-text'
import type { Origin } from './plan-row.ts'
import type { Position } from './position.ts'
import { didYouMean, type Problem, type ProblemCode } from './problem.ts'
import type { RawRow } from './raw-row.ts'
import type { SourceFiles } from './source-files.ts'
import { describeNode, getEntry, type YamlMap, type YamlNode } from './yaml-node.ts'

const ROW_KEYS = ['id', 'name', 'config', 'disabled', 'required']
const INCLUDE = '@cordisjs/plugin-include'
const GROUP = '@cordisjs/plugin-group'
const MOST_INCLUDES = 16

/** Ids are addressed as the first part of `--set id.path=value`. */
const ID = /^[A-Za-z0-9][\w-]*$/

/** What the rows of one list have in common. */
interface Scope {
  origin: Origin
  /** The switch of the group or include around them; undefined when there is none. */
  disabled?: YamlNode
  /** Files being read, outermost first. */
  files: readonly string[]
}

/** Whether a file of the project is as its owner trusted it; asked with the bytes that are about to be parsed. */
export type IsTrusted = (file: string, bytes: Uint8Array) => boolean

/** Reads rows of one plan; problems go to `files.problems`. */
export class RowReader {
  private readonly files: SourceFiles
  private readonly isTrusted: IsTrusted

  constructor(files: SourceFiles, isTrusted: IsTrusted) {
    this.files = files
    this.isTrusted = isTrusted
  }

  /** The rows of a composition file, with those that it includes. An empty file has none. */
  async readFile(file: string, origin: Origin): Promise<RawRow[]> {
    return this.readIncluded(file, { origin, files: [] })
  }

  /** The rows of a list inside another file; `list` must come from `file`. */
  async readList(list: YamlNode, file: string, origin: Origin): Promise<RawRow[]> {
    return this.readItems(list, { origin, files: [file] })
  }

  private async readIncluded(file: string, scope: Scope): Promise<RawRow[]> {
    const judge = (bytes: Uint8Array): void => {
      if (!this.isTrusted(file, bytes)) this.refuse('not-trusted', 'this file of the project is not as it was trusted; dsh trust shows it', { file, line: 0, column: 0 })
    }
    const root = await this.files.read(file, false, scope.origin === 'project settings' ? judge : undefined)
    if (root === undefined || (root.kind === 'scalar' && root.value === null)) return []
    return this.readItems(root, { ...scope, files: [...scope.files, file] })
  }

  private async readItems(list: YamlNode, scope: Scope): Promise<RawRow[]> {
    if (list.kind !== 'list') {
      this.refuse('bad-value', `a list of rows was expected, not ${describeNode(list)}`, list.at)
      return []
    }
    const rows: RawRow[] = []
    for (const item of list.items) rows.push(...(await this.readItem(item, scope)))
    return rows
  }

  private async readItem(item: YamlNode, scope: Scope): Promise<RawRow[]> {
    if (item.kind !== 'map') {
      this.refuse('bad-value', `a row { id, name, config? } was expected, not ${describeNode(item)}`, item.at)
      return []
    }
    this.refuseUnknownKeys(item)
    const id = this.readText(item, 'id')
    const name = this.readText(item, 'name')
    if (id !== undefined && !ID.test(id)) this.refuse('bad-value', `the row id ${JSON.stringify(id)} may hold letters, digits, "-" and "_" only`, item.at)
    if (id === undefined || name === undefined) return []
    const own = this.readDisabled(item)
    const disabled = isOff(scope.disabled) ? scope.disabled : (own ?? scope.disabled)
    const inner: Scope = { ...scope, ...(disabled === undefined ? {} : { disabled }) }
    if (name === INCLUDE) return this.readInclude(item, inner)
    if (name === GROUP) return this.readGroup(item, inner)
    const config = this.readConfig(item)
    return [{
      id,
      name,
      ...(config === undefined ? {} : { config }),
      ...(disabled === undefined ? {} : { disabled }),
      required: this.readRequired(item),
      origin: scope.origin,
      position: item.at,
    }]
  }

  private async readInclude(row: YamlMap, scope: Scope): Promise<RawRow[]> {
    const config = this.readConfig(row)
    const path = config === undefined ? undefined : getEntry(config, 'path')?.value
    if (config === undefined || path?.kind !== 'scalar' || typeof path.value !== 'string' || config.entries.length > 1) {
      this.refuse('bad-value', 'an include takes a config with one key, "path"', config?.at ?? row.at)
      return []
    }
    const file = resolve(dirname(row.at.file), path.value)
    if (scope.files.includes(file) || scope.files.length >= MOST_INCLUDES) {
      const way = [...scope.files, file].join(' → ')
      this.refuse('include-cycle', scope.files.includes(file) ? `the file includes itself: ${way}` : `more than ${MOST_INCLUDES} files include one another: ${way}`, path.at)
      return []
    }
    return this.readIncluded(file, scope)
  }

  private async readGroup(row: YamlMap, scope: Scope): Promise<RawRow[]> {
    const list = getEntry(row, 'config')?.value
    if (list !== undefined) return this.readItems(list, scope)
    this.refuse('bad-value', 'a group takes a list of rows as its config', row.at)
    return []
  }

  private refuseUnknownKeys(row: YamlMap): void {
    for (const { key, at } of row.entries) {
      if (ROW_KEYS.includes(key)) continue
      this.refuse('unknown-key', `unknown key "${key}" in a row${didYouMean(nearest(key, ROW_KEYS))}`, at)
    }
  }

  private readText(row: YamlMap, key: string): string | undefined {
    const entry = getEntry(row, key)
    if (entry === undefined) this.refuse('bad-value', `the row has no "${key}"`, row.at)
    else if (entry.value.kind !== 'scalar' || typeof entry.value.value !== 'string' || entry.value.value === '') {
      this.refuse('bad-value', `"${key}" must be text, not ${describeNode(entry.value)}`, entry.at)
    } else return entry.value.value
    return undefined
  }

  private readConfig(row: YamlMap): YamlMap | undefined {
    const entry = getEntry(row, 'config')
    if (entry === undefined || (entry.value.kind === 'scalar' && entry.value.value === null)) return undefined
    if (entry.value.kind === 'map') return entry.value
    this.refuse('bad-value', `"config" must be a map, not ${describeNode(entry.value)}`, entry.at)
    return undefined
  }

  private readDisabled(row: YamlMap): YamlNode | undefined {
    const entry = getEntry(row, 'disabled')
    if (entry === undefined) return undefined
    const { value } = entry
    if (value.kind === 'env' || (value.kind === 'scalar' && typeof value.value === 'boolean')) return value
    this.refuse('bad-value', `"disabled" must be true, false or !env, not ${describeNode(value)}`, entry.at)
    return undefined
  }

  private readRequired(row: YamlMap): boolean {
    const entry = getEntry(row, 'required')
    if (entry === undefined) return false
    if (entry.value.kind === 'scalar' && typeof entry.value.value === 'boolean') return entry.value.value
    this.refuse('bad-value', `"required" must be true or false, not ${describeNode(entry.value)}`, entry.at)
    return false
  }

  private refuse(code: ProblemCode, message: string, position: Position): void {
    this.files.problems.push({ code, message, position } satisfies Problem)
  }
}

function isOff(node: YamlNode | undefined): boolean {
  return node !== undefined && !(node.kind === 'scalar' && node.value === false)
}
