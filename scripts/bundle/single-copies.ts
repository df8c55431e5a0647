/** Checks that a bundle holds one copy of each package that must be shared. */

const SHARED = /\/node_modules\/(@deepseek-ai\/[^/]+|cordis|@cordisjs\/[^/]+|schemastery|cosmokit)\//

/** One sentence for each shared package that the modules of a bundle take from more than one folder. */
export function findSecondCopies(moduleIds: Iterable<string>): string[] {
  const folders = new Map<string, Set<string>>()
  for (const id of moduleIds) {
    const path = id.replaceAll('\\', '/')
    const found = SHARED.exec(path)
    if (!found?.[1]) continue
    const folder = path.slice(0, path.lastIndexOf(found[0]) + found[0].length - 1)
    folders.set(found[1], (folders.get(found[1]) ?? new Set()).add(folder))
  }
  return [...folders].filter(([, copies]) => copies.size > 1)
    .map(([name, copies]) => `${name} would be bundled ${copies.size} times: ${[...copies].sort().join(', ')}`)
}
