/** Finds what a misspelt name was probably meant to be, for "did you mean" in messages. */

/** The candidate that differs least from `name`, if it differs little enough to be a typing error. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = Math.max(1, Math.floor(name.length / 3)) + 1
  for (const candidate of candidates) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), least)
    if (distance < least) [best, least] = [candidate, distance]
  }
  return best
}

/** Optimal string alignment: a swap of neighbours counts once. Stops at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  const width = b.length + 1
  let [before, above, row] = [new Array<number>(width).fill(0), Array.from({ length: width }, (_, j) => j), new Array<number>(width).fill(0)]
  for (let i = 1; i <= a.length; i++) {
    row[0] = i
    for (let j = 1; j <= b.length; j++) row[j] = cell(a, b, { i, j, before, above, row })
    ;[before, above, row] = [above, row, before]
  }
  return above[b.length] ?? limit
}

/** A place in the table of distances, and the rows that it depends on. */
interface Place {
  i: number
  j: number
  before: number[]
  above: number[]
  row: number[]
}

function cell(a: string, b: string, { i, j, before, above, row }: Place): number {
  const same = a[i - 1] === b[j - 1] ? 0 : 1
  const plain = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + same)
  const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
  return swapped ? Math.min(plain, (before[j - 2] ?? 0) + 1) : plain
}
