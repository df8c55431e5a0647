/**
 * The virtual module `dsh:host-modules`: what a plugin on disk may import from the host, by specifier.
 *
 * The packages that the composition mounts are reached through a second one, `dsh:core`, which
 * imports them all statically: thirty-five dynamic imports of small files cost 13 to 18 ms, one
 * import of a file that holds them 1 ms. Dynamic imports of such a package elsewhere go there too.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'rolldown'
import type { WorkspacePackage } from './workspace.ts'

/** The name by which bundled code imports the table. */
export const HOST_MODULES = 'dsh:host-modules'

const HOST_ROLES = new Set(['interface', 'util', 'implementation', 'consumer'])
const FRAMEWORK = /^@deepseek-ai\/(cordis|schemastery|cosmokit)/

/** One row of the table; `importer` is the file from whose place the specifier resolves. */
export interface HostModule {
  specifier: string
  importer: string
}

/** Every specifier of the table, sorted. A package whose source is not there yet is left out. */
export function listHostModules(workspace: readonly WorkspacePackage[]): HostModule[] {
  const rows = new Map<string, HostModule>()
  for (const each of workspace) {
    const main = each.exports.get('.')
    if (!main || !existsSync(main) || !(each.vendor || HOST_ROLES.has(each.role ?? ''))) continue
    for (const [path, file] of each.exports) {
      if (path !== '.' && !each.vendor) continue
      if (existsSync(file)) add(rows, join(each.name, path), file)
    }
    if (each.vendor) for (const name of Object.keys(each.dependencies)) if (FRAMEWORK.test(name)) add(rows, name, main)
  }
  return [...rows.values()].sort((a, b) => (a.specifier < b.specifier ? -1 : 1))
}

function add(rows: Map<string, HostModule>, specifier: string, importer: string): void {
  if (!rows.has(specifier)) rows.set(specifier, { specifier, importer })
}

const CORE = 'dsh:core'

/** The module that holds everything that is mounted, as the bundler names it. */
export const CORE_ID = '\0dsh:core'

/** The table, as the bundler names it. */
export const TABLE_ID = `\0${HOST_MODULES}`

/**
 * Serves the virtual modules, and resolves their imports from the package that owns each of them.
 * `mounted` names the packages that the composition mounts.
 */
export function hostModulesPlugin(workspace: readonly WorkspacePackage[], mounted: ReadonlySet<string>): Plugin {
  const rows = listHostModules(workspace)
  const files = new Map(workspace.flatMap(each => [...each.exports].map(([path, file]) => [join(each.name, path), file] as const)))
  const importers = new Map(rows.map(row => [row.specifier, row.importer]))
  const core = new Set(workspace.filter(each => mounted.has(each.name) && each.exports.has('.')).map(each => each.name))
  return {
    name: HOST_MODULES,
    resolveId(specifier, importer) {
      if (specifier === HOST_MODULES) return TABLE_ID
      if (specifier === CORE) return CORE_ID
      if (importer !== TABLE_ID && importer !== CORE_ID) return undefined
      return files.get(specifier) ?? this.resolve(specifier, importers.get(specifier), { skipSelf: true })
    },
    load(id) {
      if (id === CORE_ID) return coreText([...core])
      return id === TABLE_ID ? tableText(rows) : undefined
    },
    transform(code) {
      return code.includes('import(') ? importFromCore(code, core) : undefined
    },
  }
}

function tableText(rows: readonly HostModule[]): string {
  const lines = rows.map(({ specifier }) => `  ${JSON.stringify(specifier)}: () => import(${JSON.stringify(specifier)}),`)
  return `export const hostModules = {\n${lines.join('\n')}\n}\n`
}

/** A dynamic import that is evaluated; in TypeScript the same words may also name a type. */
const DYNAMIC_IMPORT = /(?<=(?:=>|\bawait|\breturn)\s*)import\((['"])([^'"\n]+)\1\)(?!\s*\.[A-Z])/g

/** The code with its dynamic imports of mounted packages taken from the core; undefined when it has none. */
export function importFromCore(code: string, core: ReadonlySet<string>): string | undefined {
  const changed = code.replace(DYNAMIC_IMPORT, (whole, _quote: string, specifier: string) =>
    core.has(specifier) ? `import('${CORE}').then(module => module.core[${JSON.stringify(specifier)}])` : whole)
  return changed === code ? undefined : changed
}

function coreText(core: readonly string[]): string {
  const imports = core.map((specifier, index) => `import * as core${index} from ${JSON.stringify(specifier)}`)
  const rows = core.map((specifier, index) => `  ${JSON.stringify(specifier)}: core${index},`)
  return `${imports.join('\n')}\nexport const core = {\n${rows.join('\n')}\n}\n`
}
