/** The permission modes that can be chosen, as their plugins register them. */

import type { Context } from 'cordis'
import { HarnessError } from '@deepseek-ai/dsh-errors'
import { nearest } from '@deepseek-ai/dsh-text'
import type { PermissionMode } from './types.ts'

export class ModeRegistry {
  readonly #modes = new Map<string, PermissionMode>()

  /** Throws `DUPLICATE_MODE` when there is one of that name. The caller's plugin takes it away again. */
  register(ctx: Context, mode: PermissionMode): () => void {
    const modes = this.#modes
    if (modes.has(mode.name)) throw new HarnessError('DUPLICATE_MODE', `there is a permission mode "${mode.name}" already`)
    return ctx.effect(() => {
      modes.set(mode.name, mode)
      return () => {
        modes.delete(mode.name)
      }
    }, `approval.registerMode(${mode.name})`)
  }

  list(): PermissionMode[] {
    return [...this.#modes.values()]
  }

  /** Throws `UNKNOWN_MODE` with those that there are. */
  get(name: string): PermissionMode {
    const mode = this.#modes.get(name)
    if (mode) return mode
    const names = [...this.#modes.keys()]
    const meant = nearest(name, names)
    const hint = meant === undefined ? `there ${names.length === 0 ? 'are none' : `are ${names.join(', ')}`}` : `did you mean ${meant}?`
    throw new HarnessError('UNKNOWN_MODE', `there is no permission mode "${name}"; ${hint}`)
  }

  /** Follows `base` to the mode that the policy knows; undefined for an unknown one. */
  base(name: string): string | undefined {
    const seen = new Set<string>()
    for (let mode = this.#modes.get(name); mode && !seen.has(mode.name); mode = this.#modes.get(mode.base ?? '')) {
      if (mode.base === undefined) return mode.name
      seen.add(mode.name)
    }
    return undefined
  }
}
