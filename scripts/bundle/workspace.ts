/** The packages of this workspace, as the bundler needs them: names, roles and entry files. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** One package under `packages/` or `vendor/`. */
export interface WorkspacePackage {
  name: string
  version: string
  folder: string
  /** `dsh.role` of the manifest; `vendor` packages have none. */
  role: string | undefined
  vendor: boolean
  /** Export path (`.`, `./host`) → absolute source file; only exports that are plain strings. */
  exports: ReadonlyMap<string, string>
  dependencies: Readonly<Record<string, string>>
}

/** Every package of the workspace, sorted by folder. */
export function readWorkspace(root: string): WorkspacePackage[] {
  const grouped = subfolders(join(root, 'packages')).flatMap(subfolders).map(folder => readPackage(folder, false))
  const vendored = subfolders(join(root, 'vendor')).map(folder => readPackage(folder, true))
  return [...grouped, ...vendored].filter(each => each !== undefined)
}

function subfolders(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isDirectory()).map(entry => join(folder, entry.name)).sort()
}

function readPackage(folder: string, vendor: boolean): WorkspacePackage | undefined {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return undefined
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  const entries = Object.entries(manifest.exports ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return {
    name: manifest.name,
    version: manifest.version,
    folder,
    role: manifest.dsh?.role,
    vendor,
    exports: new Map(entries.map(([path, target]) => [path, join(folder, target)])),
    dependencies: manifest.dependencies ?? {},
  }
}
