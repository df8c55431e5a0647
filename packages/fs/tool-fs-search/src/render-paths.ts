/** What the model reads of a glob. Pure, stable text: one path a line. */

import { plural } from '@deepseek-ai/dsh-text'
import { countByDirectory, samplePaths } from './sample-paths.ts'

/** Directories beyond this are summed up. */
const MOST_DIRECTORIES = 50

export interface PathsView {
  /** Everything that was found, as results name it. */
  paths: readonly string[]
  /** Paths to show. */
  limit: number
  /** Whether the search went through everything. */
  complete: boolean
  /** What to say when there is nothing. */
  empty: string
  notes: readonly string[]
}

export interface PathsText {
  text: string
  shown: number
}

/** Shows fewer than the limit where the paths would be longer than `most` characters together. */
export function renderPaths({ paths, limit, complete, empty, notes }: PathsView, most: number): PathsText {
  let shown = samplePaths(paths, limit)
  for (let length = total(shown); length > most && shown.length > 1; length = total(shown)) {
    shown = samplePaths(paths, Math.max(1, Math.floor((shown.length * most) / length)))
  }
  const body = paths.length === 0 ? [empty] : shown
  const tail = [...(shown.length < paths.length ? describeRest(paths, shown, complete) : []), ...notes]
  return { text: [...body, ...(tail.length > 0 ? ['', ...tail] : [])].join('\n'), shown: shown.length }
}

function total(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + path.length + 1, 0)
}

function describeRest(paths: readonly string[], shown: readonly string[], complete: boolean): string[] {
  const counts = countByDirectory(paths)
  const listed = counts.slice(0, MOST_DIRECTORIES).map(({ directory, files }) => `  ${directory} ${plural(files, 'file')}`)
  const rest = counts.slice(MOST_DIRECTORIES)
  const others = rest.reduce((sum, { files }) => sum + files, 0)
  return [
    `(truncated: ${shown.length} of ${complete ? '' : 'at least '}${plural(paths.length, 'file')} shown, taken evenly from all directories; narrow the pattern or the path, or raise limit)`,
    'Files found below each directory:',
    ...listed,
    ...(rest.length > 0 ? [`  ${plural(rest.length, 'more directory', 'more directories')} ${plural(others, 'file')}`] : []),
  ]
}
