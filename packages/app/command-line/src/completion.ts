/** `dsh completion SHELL`. Pure. */

import { bashCompletion } from './completion-bash.ts'
import { fishCompletion } from './completion-fish.ts'
import { zshCompletion } from './completion-zsh.ts'
import { oneOf } from './read-values.ts'
import { UsageError } from './usage-error.ts'

/** The shells that there is a completion for. */
export const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const

/** The script that a shell reads. Throws `UsageError` for other shells. */
export function renderCompletion(shell: string | undefined): string {
  const shells = Object.keys(SHELLS) as (keyof typeof SHELLS)[]
  if (shell === undefined) throw new UsageError(`dsh completion takes one of ${shells.join(', ')}`)
  return SHELLS[oneOf('dsh completion', shell, shells)]()
}
