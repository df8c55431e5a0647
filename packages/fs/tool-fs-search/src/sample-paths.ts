/**
 * Chooses which of too many paths to show. A prefix of the sorted list would be
 * one subtree and mislead; this one takes from every directory alike. Pure.
 */

interface Directory {
  files: string[]
  below: Map<string, Directory>
  count: number
}

/**
 * At most `most` of `paths`, sorted: every entry of a directory, file or
 * subtree, gets an equal share, and what one does not need goes to the others.
 */
export function samplePaths(paths: readonly string[], most: number): string[] {
  const sorted = [...paths].sort()
  return sorted.length <= most ? sorted : take(toTree(sorted), most).sort()
}

function toTree(paths: readonly string[]): Directory {
  const root: Directory = { files: [], below: new Map(), count: 0 }
  for (const path of paths) {
    let at = root
    at.count++
    for (const part of path.split('/').slice(0, -1)) {
      let next = at.below.get(part)
      if (!next) at.below.set(part, (next = { files: [], below: new Map(), count: 0 }))
      next.count++
      at = next
    }
    at.files.push(path)
  }
  return root
}

/** Own files count as one entry, so that a flat directory of thousands leaves room for its neighbours. */
function take({ files, below }: Directory, most: number): string[] {
  const entries = [...(files.length > 0 ? [{ count: files.length, pick: (n: number) => files.slice(0, n) }] : []), ...[...below.values()].map(each => ({ count: each.count, pick: (n: number) => take(each, n) }))]
  // The smallest first: what they leave over is known when the larger ones are served.
  entries.sort((a, b) => a.count - b.count)
  const picked: string[] = []
  for (const [index, { count, pick }] of entries.entries()) {
    const share = Math.floor((most - picked.length) / (entries.length - index))
    picked.push(...pick(Math.min(count, share)))
  }
  return picked
}

export interface DirectoryCount {
  /** With a trailing slash; `./` for files directly in the root. */
  directory: string
  files: number
}

/** How many of `paths` lie below each entry of the first directory that branches. Sorted by name. */
export function countByDirectory(paths: readonly string[]): DirectoryCount[] {
  const prefix = commonDirectory(paths)
  const counts = new Map<string, number>()
  for (const path of paths) {
    const end = path.indexOf('/', prefix.length)
    const directory = end < 0 ? prefix || './' : path.slice(0, end + 1)
    counts.set(directory, (counts.get(directory) ?? 0) + 1)
  }
  return [...counts].map(([directory, files]) => ({ directory, files })).sort((a, b) => (a.directory < b.directory ? -1 : 1))
}

/** The longest directory that all paths share, with its slash. */
function commonDirectory([first = '', ...others]: readonly string[]): string {
  let prefix = first.slice(0, first.lastIndexOf('/') + 1)
  for (const path of others) {
    while (!path.startsWith(prefix)) prefix = prefix.slice(0, prefix.lastIndexOf('/', prefix.length - 2) + 1)
  }
  return prefix
}
