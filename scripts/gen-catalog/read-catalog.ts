/** Reads the catalog from the sources of all packages. */

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type ts from 'typescript'
import { listFiles } from '../repository/list-files.ts'
import { parse } from '../repository/syntax.ts'
import { readEvents, readLogEvents, readModes } from './read-events.ts'
import { readServices } from './read-services.ts'
import { readTools } from './read-tools.ts'
import type { PackageEntry } from './types.ts'

/** In the order of folders. */
export function readCatalog(root: string): PackageEntry[] {
  const paths = listFiles(root).filter(path => path.startsWith('packages/'))
  const sources = paths.filter(path => /^packages\/[^/]+\/[^/]+\/src\/.*\.ts$/.test(path))
  const files = new Map(sources.map(path => [path, parse(path, readFileSync(join(root, path), 'utf8'))]))
  const modes = readModes([...files.values()])
  const folders = paths.filter(path => /^packages\/[^/]+\/[^/]+\/package\.json$/.test(path)).map(path => dirname(path))
  return folders.map(folder => {
    const { name, dsh } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as { name: string; dsh?: { role?: string } }
    const own: ts.SourceFile[] = sources.filter(path => path.startsWith(`${folder}/`)).flatMap(path => files.get(path) ?? [])
    return { name, folder, role: dsh?.role ?? '', services: readServices(own), events: readEvents(own, modes), logEvents: readLogEvents(own), tools: readTools(own) }
  })
}
