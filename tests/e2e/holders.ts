/** Where a secret has got to. */

import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sandbox } from './program.ts'

/** The files below the home that hold the text, by their paths within it. */
export async function holders({ home }: Sandbox, text: string): Promise<string[]> {
  const entries = await readdir(home.path, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const found = await Promise.all(files.map(async file => ((await readFile(file, 'latin1')).includes(text) ? [file.slice(home.path.length + 1)] : [])))
  return found.flat()
}
