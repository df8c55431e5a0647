/** One row of the effective composition, as the reader hands it to whoever mounts it. */

import type { Position } from './position.ts'

export type Origin = 'composition' | 'user settings' | 'project settings' | 'command line'

/** Where a config value came from. */
export interface Provenance {
  /** Of the key; of the item in a list. */
  position: Position
  /** The environment variable that `!env` read. */
  env?: string
}

export interface PlanRow {
  id: string
  /** A built-in specifier, a path relative to `position.file`, or a package to be found from there. */
  name: string
  config?: Record<string, unknown>
  disabled: boolean
  /** The boot fails when a required row is not active. Optional unless the composition says `required: true`. */
  required: boolean
  origin: Origin
  position: Position
  /** Dotted config path → where it was set; has every map and list as well as every value. */
  provenance: Record<string, Provenance>
}
