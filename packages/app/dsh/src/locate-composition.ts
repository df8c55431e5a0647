/** Finds the built-in composition: beside the bundle, or at the root of the repository. */

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export function locateBuiltinComposition(): string {
  const beside = fileURLToPath(new URL('./cordis.yml', import.meta.url))
  return existsSync(beside) ? beside : fileURLToPath(new URL('../../../../cordis.yml', import.meta.url))
}
