/** Which paths are meant by a few letters of them: those that have the letters in this order, the closest first. Pure but for yielding. */

import { setImmediate as nextTick } from 'node:timers/promises'

export interface RankedPath {
  path: string
  /** Higher is better; comparable within one query. */
  score: number
}

export interface RankOptions {
  limit: number
  signal: AbortSignal
}

/** After this time others get their turn; the clock is looked at this often. */
const SLICE_MS = 3
const LOOK_EVERY = 256

/** The best `limit`, best first; those that score alike by length, then by name. An empty query takes what lies highest. Rejects with the signal's reason. */
export async function rankPaths(paths: readonly string[], query: string, { limit, signal }: RankOptions): Promise<RankedPath[]> {
  const wanted = query.toLowerCase()
  const best: RankedPath[] = []
  let since = performance.now()
  for (let i = 0; i < paths.length; i++) {
    if (i % LOOK_EVERY === LOOK_EVERY - 1 && performance.now() - since > SLICE_MS) {
      await nextTick()
      signal.throwIfAborted()
      since = performance.now()
    }
    const path = paths[i] ?? ''
    const score = wanted === '' ? -depthOf(path) : scorePath(path, wanted)
    if (score !== undefined) insert(best, { path, score }, limit)
  }
  return best
}

function insert(best: RankedPath[], candidate: RankedPath, limit: number): void {
  const last = best.at(-1)
  if (best.length >= limit && last && compare(candidate, last) >= 0) return
  const at = best.findIndex(each => compare(candidate, each) < 0)
  best.splice(at < 0 ? best.length : at, 0, candidate)
  if (best.length > limit) best.pop()
}

function compare(a: RankedPath, b: RankedPath): number {
  return b.score - a.score || a.path.length - b.path.length || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)
}

function depthOf(path: string): number {
  let depth = 0
  for (let i = 0; i < path.length - 1; i++) if (path[i] === '/') depth++
  return depth
}

/**
 * How well `path` answers to `wanted` (lower case); undefined when a letter is
 * missing. The name counts most: as a whole, by its beginning, by a part; then
 * a part of the path; then the letters one by one, where runs and beginnings of
 * words count.
 */
export function scorePath(path: string, wanted: string): number | undefined {
  const lower = path.toLowerCase()
  const isDirectory = lower.endsWith('/')
  const name = lower.slice(lower.lastIndexOf('/', lower.length - (isDirectory ? 2 : 1)) + 1)
  if (lower === wanted || name === wanted) return 1000
  if (name.startsWith(wanted)) return 900
  if (lower.startsWith(wanted)) return 850
  if (name.includes(wanted)) return 800
  if (lower.includes(wanted)) return 700
  return scoreLetters(lower, wanted)
}

function scoreLetters(path: string, wanted: string): number | undefined {
  let score = 0
  let at = -1
  for (const letter of wanted) {
    const next = path.indexOf(letter, at + 1)
    if (next < 0) return undefined
    if (next === at + 1) score += 4
    else if (next === 0 || '/._- '.includes(path[next - 1] ?? '')) score += 3
    at = next
  }
  return Math.min(600, score)
}
