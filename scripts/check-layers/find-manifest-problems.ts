/** That each manifest names what its files import, and nothing else. Pure. */

import { builtinModules } from 'node:module'
import { packageOf, type Import, type Package, type Workspace } from './read-workspace.ts'

const BUILTIN: ReadonlySet<string> = new Set(builtinModules)

export function findManifestProblems({ packages, rootDependencies }: Pick<Workspace, 'packages' | 'rootDependencies'>): string[] {
  return packages.flatMap(each => [...findUndeclared(each, rootDependencies), ...findUnused(each)])
}

function findUndeclared({ name, folder, dependencies, devDependencies, imports, testImports }: Package, rootDependencies: ReadonlySet<string>): string[] {
  const forTests = dependencies.union(devDependencies).union(rootDependencies)
  const missing = (list: readonly Import[], declared: ReadonlySet<string>, field: string): string[] => {
    const firsts = new Map<string, Import>()
    for (const each of list) {
      const target = packageOf(each.specifier)
      if (target !== undefined && !BUILTIN.has(target) && target !== name && !isDeclared(target, declared) && !firsts.has(target)) firsts.set(target, each)
    }
    return [...firsts].map(([target, { file, line }]) => `${file}:${line}: ${target} is not in ${folder}/package.json; add it to "${field}"`)
  }
  return [...missing(imports, dependencies.union(typesOnly(devDependencies)), 'dependencies'), ...missing(testImports, forTests, 'devDependencies')]
}

/** A package without code of its own, such as `hast`, is declared by its `@types/…`. */
function isDeclared(target: string, declared: ReadonlySet<string>): boolean {
  return declared.has(target) || declared.has(typesOf(target))
}

function typesOnly(names: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...names].filter(name => name.startsWith('@types/')))
}

function typesOf(target: string): string {
  return `@types/${target.replace('@', '').replace('/', '__')}`
}

/** The facades of `vendor/` also pin what the packages behind them need beside them. */
function findUnused({ folder, role, dependencies, devDependencies, imports, testImports, mentions }: Package): string[] {
  if (role === 'vendor') return []
  const used = new Set([...imports, ...testImports].map(({ specifier }) => packageOf(specifier) ?? ''))
  const isUsed = (name: string): boolean => used.has(name) || mentions.has(name) || [...used].some(each => typesOf(each) === name)
  const inSources = new Set(imports.map(({ specifier }) => packageOf(specifier) ?? ''))
  return [
    ...[...dependencies].filter(name => !isUsed(name)).map(name => `${folder}/package.json:1: ${name} is in "dependencies" and never imported; remove it`),
    ...[...devDependencies].filter(name => !isUsed(name)).map(name => `${folder}/package.json:1: ${name} is in "devDependencies" and never imported; remove it`),
    ...[...dependencies].filter(name => isUsed(name) && !inSources.has(name) && !mentions.has(name)).map(name => `${folder}/package.json:1: only tests import ${name}; move it to "devDependencies"`),
  ]
}
