/** Finds the ripgrep to run. */

import { describeError } from '@deepseek-ai/dsh-errors'
import { RipgrepError } from './errors.ts'

/**
 * The binary of the registry package, which is looked up when first needed so
 * that a composition without it starts. Throws `NO_PROGRAM` when the package
 * is missing or has no binary for this platform.
 */
export async function findRipgrep(configured?: string): Promise<string> {
  if (configured !== undefined) return configured
  try {
    const { rgPath } = await import('@vscode/ripgrep')
    return rgPath
  } catch (error) {
    throw new RipgrepError('NO_PROGRAM', `ripgrep is not installed for this platform: ${describeError(error)}; install it and set "program" of the row tool-fs-search`, { cause: error })
  }
}
