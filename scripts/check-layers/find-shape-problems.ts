/** That packages lie where a reader looks for them: two levels, few groups, families named after their interface. Pure. */

import type { Package, Workspace } from './read-workspace.ts'

const MOST_GROUPS = 16

/** Groups by kind, not by capability: no interface gives them its name. */
const COLLECTIONS: ReadonlySet<string> = new Set(['core', 'util', 'testing', 'app', 'ui', 'feature', 'hooks'])

export function findShapeProblems({ packages, files }: Pick<Workspace, 'packages' | 'files'>): string[] {
  const ours = packages.filter(({ folder }) => folder.startsWith('packages/'))
  const groups = new Map<string, Package[]>()
  for (const each of ours) {
    const group = groupOf(each)
    groups.set(group, [...(groups.get(group) ?? []), each])
  }
  return [
    ...findMisplaced(files),
    ...ours.flatMap(findNameProblems),
    ...findDuplicates(ours),
    ...[...groups].flatMap(([group, members]) => findGroupProblems(group, members)),
    ...(groups.size > MOST_GROUPS ? [`packages:1: ${groups.size} groups, at most ${MOST_GROUPS}; merge the smallest`] : []),
  ]
}

function findMisplaced(files: readonly string[]): string[] {
  const manifests = files.filter(file => /^packages\/.*\bpackage\.json$/.test(file) && !/\/(tests|fixtures)\//.test(file) && file.split('/').length !== 4)
  const loose = files.filter(file => /^packages\/([^/]+|[^/]+\/[^/]+)$/.test(file) && !file.endsWith('/package.json'))
  return [
    ...manifests.map(file => `${file}:1: a manifest at this depth; packages are exactly packages/<group>/<package>, and groups hold no manifest`),
    ...loose.map(file => `${file}:1: a file outside of a package; move it into one`),
  ]
}

function findNameProblems({ name, folder, isPrivate }: Package): string[] {
  const expected = `@deepseek-ai/dsh-${lastOf(folder)}`
  return [
    ...(name === expected ? [] : [`${folder}/package.json:1: the name is ${JSON.stringify(name)}; make it ${expected}, after the folder`]),
    ...(isPrivate ? [] : [`${folder}/package.json:1: the package could be published; set "private": true`]),
  ]
}

function findDuplicates(packages: readonly Package[]): string[] {
  const seen = new Map<string, string>()
  return packages.flatMap(({ folder }) => {
    const other = seen.get(lastOf(folder))
    seen.set(lastOf(folder), folder)
    return other === undefined ? [] : [`${folder}/package.json:1: ${other} has the same folder name; rename one`]
  })
}

function findGroupProblems(group: string, members: readonly Package[]): string[] {
  if (COLLECTIONS.has(group)) return []
  const namesake = members.find(({ folder }) => lastOf(folder) === group)
  return [
    ...(namesake?.role === 'interface' ? [] : [`packages/${group}:1: a family is named after its interface package; add packages/${group}/${group} with that role, or move the packages to feature/`]),
    ...(members.length >= 2 ? [] : [`packages/${group}:1: a family of one package; move ${members[0]?.folder} to feature/`]),
  ]
}

function groupOf({ folder }: Package): string {
  return folder.split('/')[1] ?? ''
}

function lastOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('/') + 1)
}
