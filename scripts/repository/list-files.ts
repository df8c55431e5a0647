/** The files of the repository, without what is installed or built. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git', '.tools', 'dist', 'dist-pack', 'coverage'])

/** Paths relative to `root`, sorted, with forward slashes. Links are not followed. */
export function listFiles(root: string, folder = ''): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true }).filter(({ name }) => !SKIPPED.has(name))
  const paths = entries.flatMap(entry => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) return listFiles(root, path)
    return entry.isFile() ? [path] : []
  })
  return folder === '' ? paths.sort() : paths
}
