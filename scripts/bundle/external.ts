/** Packages that cannot be bundled, because they ship binaries or find files beside themselves. */
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { OutputChunk } from 'rolldown'
import type { WorkspacePackage } from './workspace.ts'

const NAMES = ['@vscode/ripgrep', 'node-addon-require-builtin', '@lydell/node-pty', 'tsx', 'esbuild']

/** One such package that the distribution uses, as it is installed in the workspace. */
export interface ExternalPackage {
  name: string
  version: string
  folder: string
}

/** Must this import stay an import? */
export function isExternal(id: string): boolean {
  return NAMES.some(name => id === name || id.startsWith(`${name}/`)) || id.endsWith('.node')
}

/**
 * The external packages that the chunks name, in imports or (a `createRequire`) in strings.
 * Throws for one that is imported and that no package of the workspace depends on.
 */
export function findExternal(chunks: readonly OutputChunk[], workspace: readonly WorkspacePackage[]): ExternalPackage[] {
  const imported = new Set(chunks.flatMap(each => [...each.imports, ...each.dynamicImports]))
  return NAMES.flatMap(name => {
    const isImported = [...imported].some(id => id === name || id.startsWith(`${name}/`))
    const isNamed = chunks.some(each => each.code.includes(`"${name}"`) || each.code.includes(`'${name}'`))
    const folder = workspace.map(each => join(each.folder, 'node_modules', name)).find(each => existsSync(join(each, 'package.json')))
    if (!folder && isImported) throw new Error(`${name} is imported by the distribution, but no package of the workspace depends on it`)
    if (!folder || !(isImported || isNamed)) return []
    return [{ name, version: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version, folder: realpathSync(folder) }]
  })
}

/** Lets a distribution inside the workspace find its external packages: the workspace's own, linked beside it. */
export function linkExternal(out: string, external: readonly ExternalPackage[]): void {
  const modules = join(out, 'node_modules')
  rmSync(modules, { recursive: true, force: true })
  for (const { name, folder } of external) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(folder, join(modules, name), 'junction')
  }
}
