/** Has every change to what runs in this process asked about: a composition or a plugin that a model edits is reloaded at once. */

import { realpathSync } from 'node:fs'
import type { Running } from '@deepseek-ai/dsh-composition'
import type {} from '@deepseek-ai/dsh-fs-policy'

/** Answers `fs-policy/why-protected` for as long as the composition runs; `more` are files that decide beside those of the plan. */
export function guardOwnFiles(running: Running, more: readonly string[] = []): void {
  running.root.on('fs-policy/why-protected', path => {
    const own = [...running.plan.files, ...running.sources(), ...more].some(file => realPathOf(file) === path)
    return own ? 'it is a part of dsh as it runs now, and a change takes effect at once' : undefined
  })
}

/** A file that is not there yet has no other name. */
function realPathOf(file: string): string {
  try {
    return realpathSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return file
  }
}
