/** Who may import whom, and that nobody imports in a circle. Pure. */

import { packageOf, type Package } from './read-workspace.ts'

/** Nobody but `app` and `testing` may name an implementation. The agent loop is one. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  util: ['util'],
  interface: ['interface', 'util'],
  implementation: ['interface', 'util'],
  consumer: ['interface', 'util'],
  testing: ['interface', 'implementation', 'util', 'testing'],
  app: ['interface', 'implementation', 'consumer', 'util', 'app'],
  vendor: ['util'],
}

const ROLES = Object.keys(MAY_IMPORT).filter(role => role !== 'vendor')

/** The framework under the names it is published with: only `vendor/` may use them. */
const UPSTREAM = /^@deepseek-ai\/(cordis|schemastery|cosmokit)/

export function findLayerProblems(packages: readonly Package[]): string[] {
  const byName = new Map(packages.map(each => [each.name, each]))
  return [...packages.flatMap(each => findDirectionProblems(each, byName)), ...packages.flatMap(each => findSpecifierProblems(each, byName)), ...findCycles(byName)]
}

function findDirectionProblems({ name, folder, role, imports }: Package, byName: ReadonlyMap<string, Package>): string[] {
  const allowed = MAY_IMPORT[role ?? '']
  if (!allowed) return [`${folder}/package.json:1: "dsh.role" is ${JSON.stringify(role)}; make it one of ${ROLES.join(', ')}`]
  const problems = new Map<string, string>()
  for (const { file, line, specifier } of imports) {
    const found = byName.get(packageOf(specifier) ?? '')
    if (!found || found.role === 'vendor' || found.name === name || allowed.includes(found.role ?? '')) continue
    const key = `${file} ${found.name}`
    if (!problems.has(key)) problems.set(key, `${file}:${line}: ${role} ${short(name)} may not import ${found.role} ${short(found.name)}; depend on its interface`)
  }
  return [...problems.values()]
}

function findSpecifierProblems({ folder, imports, testImports }: Package, byName: ReadonlyMap<string, Package>): string[] {
  return [...imports, ...testImports].flatMap(({ file, line, specifier }) => {
    const target = packageOf(specifier) ?? ''
    if (UPSTREAM.test(specifier) && !folder.startsWith('vendor/')) return [`${file}:${line}: ${specifier} is the framework under its published name; import ${specifier.replace(/^@deepseek-ai\/(cordis-plugin-)?/, '')} from vendor/ instead`]
    if (/^@deepseek-ai\/dsh-/.test(target) && !byName.has(target)) return [`${file}:${line}: ${target} is not in this workspace; correct the name or add the package`]
    const entry = `.${specifier.slice(target.length)}`
    const found = byName.get(target)
    return found && !found.exports.has(entry) ? [`${file}:${line}: ${specifier} reaches into ${found.folder}; import what its "exports" name`] : []
  })
}

/** Depth first; a package met again while still open closes a cycle. */
function findCycles(byName: ReadonlyMap<string, Package>): string[] {
  const cycles: string[] = []
  const done = new Set<string>()
  const visit = (name: string, open: readonly string[]): void => {
    const start = open.indexOf(name)
    if (start >= 0) cycles.push(`${byName.get(name)?.folder}/package.json:1: packages import each other in a circle: ${[...open.slice(start), name].map(short).join(' -> ')}; move what they share into the lower one`)
    if (start >= 0 || done.has(name)) return
    for (const target of targetsOf(byName.get(name), byName)) visit(target, [...open, name])
    done.add(name)
  }
  for (const name of byName.keys()) visit(name, [])
  return cycles
}

function targetsOf(from: Package | undefined, byName: ReadonlyMap<string, Package>): string[] {
  const targets = (from?.imports ?? []).map(({ specifier }) => packageOf(specifier) ?? '').filter(target => byName.has(target) && target !== from?.name)
  return [...new Set(targets)]
}

function short(name: string): string {
  return name.replace('@deepseek-ai/dsh-', '')
}
