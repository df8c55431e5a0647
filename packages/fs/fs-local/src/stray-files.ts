/**
 * Names temporary files, and removes those whose process died before it could.
 *
 *     .dsh-<pid>-<12 hex digits>.tmp
 */

import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from './io-error.ts'

const NAME = /^\.dsh-(\d+)-[0-9a-f]{12}\.tmp$/
/** A process of another container that writes into the same directory looks dead from here; its file is young. */
const YOUNGEST_MS = 2_000

export function temporaryName(random: string): string {
  return `.dsh-${process.pid}-${random}.tmp`
}

/** Removes the strays of one directory. What cannot be removed stays; it is no reason to fail. */
export async function removeStrays(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const pid = Number(NAME.exec(name)?.[1])
    if (Number.isNaN(pid) || isAlive(pid)) continue
    const path = join(directory, name)
    try {
      if (Date.now() - (await stat(path)).mtimeMs > YOUNGEST_MS) await rm(path, { force: true })
    } catch (error) {
      if (codeOf(error) === undefined) throw error
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}
