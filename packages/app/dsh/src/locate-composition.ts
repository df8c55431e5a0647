/** Finds the built-in composition: beside the bundle, parsed ahead of time, or at the root of the repository. */

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Precompiled } from '@deepseek-ai/dsh-composition-yaml'

export interface BuiltinComposition {
  file: string
  /** For `PlanOptions.precompiled`; empty when the file was edited since, or there is no bundle. */
  precompiled: Record<string, Precompiled>
}

/** What the bundling script writes beside `cordis.yml`: its text, and the tree that parsing it gives. */
interface Compiled {
  text: string
  tree: Precompiled
}

/** The parsed form saves loading the YAML library at every start. It counts only for exactly the text that it was made from. */
export function locateBuiltinComposition(): BuiltinComposition {
  const file = fileURLToPath(new URL('./cordis.yml', import.meta.url))
  const compiled = fileURLToPath(new URL('./cordis.json', import.meta.url))
  if (!existsSync(file)) return { file: fileURLToPath(new URL('../../../../cordis.yml', import.meta.url)), precompiled: {} }
  if (!existsSync(compiled)) return { file, precompiled: {} }
  const known = JSON.parse(readFileSync(compiled, 'utf8')) as Compiled
  return { file, precompiled: known.text === readFileSync(file, 'utf8') ? { [file]: known.tree } : {} }
}
