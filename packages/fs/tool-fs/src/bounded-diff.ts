/** What changed between two texts, bounded in time and size: for people to look at, never for the result's correctness. */

/** Lines around a change. */
const CONTEXT = 3
/** A changed part of this size is one hunk, without a search for what in it stayed. In UTF-16 units. */
const SMALL = 4_000
/** Larger changed parts are only counted. */
const LARGE = 500_000
const TIMEOUT_MS = 100
const MOST_EDITS = 2_000

export interface DiffHunk {
  /** Of the first line of `newText`. */
  line: number
  oldText: string
  newText: string
}

export interface BoundedDiff {
  added: number
  removed: number
  /** Absent when they would be too many or too slow to find; then the counts are those of the whole changed part. */
  hunks?: DiffHunk[]
}

/** Hunks hold at most `most` UTF-16 units together. */
export async function boundedDiff(before: string, after: string, most: number): Promise<BoundedDiff> {
  const start = commonStart(before, after)
  const tail = commonTail(before, after, start)
  const oldPart = before.slice(start, before.length - tail)
  const newPart = after.slice(start, after.length - tail)
  const counts = { added: countLines(newPart), removed: countLines(oldPart) }
  if (oldPart.length + newPart.length > LARGE) return counts
  const { lead, trail } = context(before, start, before.length - tail)
  const line = countLines(after.slice(0, start)) + 1 - countLines(lead)
  const whole = { line, oldText: lead + oldPart + trail, newText: lead + newPart + trail }
  const small = oldPart.length + newPart.length <= SMALL || oldPart === '' || newPart === ''
  const found: BoundedDiff = small ? { ...counts, hunks: [whole] } : ((await searchHunks(whole)) ?? counts)
  const size = found.hunks?.reduce((sum, { oldText, newText }) => sum + oldText.length + newText.length, 0) ?? 0
  return size > most ? counts : found
}

async function searchHunks({ line, oldText, newText }: DiffHunk): Promise<BoundedDiff | undefined> {
  const { structuredPatch } = await import('diff')
  const patch = structuredPatch('', '', oldText, newText, '', '', { context: CONTEXT, timeout: TIMEOUT_MS, maxEditLength: MOST_EDITS })
  if (!patch) return undefined
  const result = { added: 0, removed: 0, hunks: [] as DiffHunk[] }
  for (const { lines, newStart } of patch.hunks) {
    const kept = lines.filter(each => !each.startsWith('\\'))
    const side = (sign: string): string => kept.filter(each => each[0] === ' ' || each[0] === sign).map(each => each.slice(1)).join('\n')
    result.added += kept.filter(each => each[0] === '+').length
    result.removed += kept.filter(each => each[0] === '-').length
    result.hunks.push({ line: line + newStart - 1, oldText: side('-'), newText: side('+') })
  }
  return result
}

/** Length of the common beginning, whole lines only. */
function commonStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let at = 0
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at++
  return at === 0 || (at === a.length && at === b.length) ? at : a.lastIndexOf('\n', at - 1) + 1
}

/** Length of the common end after `start`, whole lines only. */
function commonTail(a: string, b: string, start: number): number {
  const most = Math.min(a.length, b.length) - start
  let length = 0
  while (length < most && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length)) length++
  if (length === 0) return 0
  const from = a.length - length
  const lineStart = (text: string, at: number): boolean => at === start || text[at - 1] === '\n'
  if (lineStart(a, from) && lineStart(b, b.length - length)) return length
  const newline = a.indexOf('\n', from)
  return newline < 0 ? 0 : a.length - newline - 1
}

/** The lines before `start` and after `end`, which are both at the beginning of a line. */
function context(text: string, start: number, end: number): { lead: string; trail: string } {
  let from = start
  for (let i = 0; i < CONTEXT && from > 0; i++) from = from < 2 ? 0 : text.lastIndexOf('\n', from - 2) + 1
  let to = end
  for (let i = 0; i < CONTEXT && to < text.length; i++) {
    const newline = text.indexOf('\n', to)
    to = newline < 0 ? text.length : newline + 1
  }
  return { lead: text.slice(from, start), trail: text.slice(end, to) }
}

export function countLines(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; count++) {
    const newline = text.indexOf('\n', at)
    at = newline < 0 ? text.length : newline + 1
  }
  return count
}
