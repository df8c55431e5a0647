/** Finds the built-in composition: beside the bundle, parsed ahead of time, or at the root of the repository. */

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
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
export async function locateBuiltinComposition(): Promise<BuiltinComposition> {
  const file = fileURLToPath(new URL('./cordis.yml', import.meta.url))
  const compiled = fileURLToPath(new URL('./cordis.json', import.meta.url))
  if (!existsSync(file)) return { file: fileURLToPath(new URL('../../../../cordis.yml', import.meta.url)), precompiled: {} }
  if (!existsSync(compiled)) return { file, precompiled: {} }
  const [text, json] = await Promise.all([readFile(file, 'utf8'), readFile(compiled, 'utf8')])
  const known = JSON.parse(json) as Compiled
  return { file, precompiled: known.text === text ? { [file]: known.tree } : {} }
}
