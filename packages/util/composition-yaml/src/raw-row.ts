/** A row as it was written, before settings are laid over it and before the environment is read. */

import type { Origin } from './plan-row.ts'
import type { Position } from './position.ts'
import type { YamlMap, YamlNode } from './yaml-node.ts'

export interface RawRow {
  id: string
  name: string
  config?: YamlMap
  /** A boolean, or `!env` that must read as one. */
  disabled?: YamlNode
  required: boolean
  origin: Origin
  position: Position
}
