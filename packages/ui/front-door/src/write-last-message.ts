/** Writes what a run answered into a file of the user's: `-o FILE`. */

import { lstatSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { describeError, HarnessError } from '@deepseek-ai/dsh-errors'

/**
 * The file holds the old text or the whole new one, whatever happens; a device or a pipe is written to as it is.
 * At once, so that it is done before the run's result is told. Throws `OUTPUT_FILE`.
 */
export function writeLastMessage(path: string, text: string): void {
  const whole = text === '' || text.endsWith('\n') ? text : `${text}\n`
  try {
    const target = resolveTarget(path)
    if (target.isPlain) replace(target.path, whole)
    else writeFileSync(target.path, whole)
  } catch (error) {
    throw new HarnessError('OUTPUT_FILE', `the last message could not be written to ${path}: ${describeError(error)}`, { cause: error })
  }
}

/** Where a link leads; what is not there yet will be a plain file. */
function resolveTarget(path: string): { path: string; isPlain: boolean } {
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined
  if (!isThere) return { path, isPlain: true }
  // A link to nothing is written through, which makes what it points at.
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) return { path, isPlain: false }
  return stats.isFile() ? { path: realpathSync(path), isPlain: true } : { path, isPlain: false }
}

function replace(path: string, text: string): void {
  const part = `${path}.${process.pid}.part`
  const mode = statSync(path, { throwIfNoEntry: false })?.mode
  try {
    writeFileSync(part, text, { flag: 'wx', ...(mode !== undefined && { mode: mode & 0o777 }) })
    renameSync(part, path)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}
