/** Reads what ripgrep says on stderr. Pure. */

/**
 * One complaint a line while it searches, and it goes on:
 *
 *     rg: ./locked: Permission denied (os error 13)
 *     rg: ./locked: IO error for operation on ./locked: Permission denied (os error 13)
 *
 * Anything else, such as a regular expression with the place of its fault, is
 * about the request as a whole.
 */
const SKIPPED = /^rg: (.+?)(?:: IO error for operation on \1)?: [^:]+ \(os error \d+\)$/

export interface Complaints {
  /** Paths that could not be searched. */
  skipped: string[]
  /** What concerns the whole run; empty when nothing does. */
  failure: string
}

export function readComplaints(stderr: string): Complaints {
  const skipped: string[] = []
  const rest: string[] = []
  for (const line of stderr.split('\n')) {
    const path = SKIPPED.exec(line)?.[1]
    if (path !== undefined) skipped.push(path.replace(/^\.\//, ''))
    else rest.push(line)
  }
  return { skipped, failure: tidy(rest.join('\n')) }
}

/** Drops the rulers, and of the two engines' answers the one that the model can act on. */
function tidy(text: string): string {
  return text
    .replace(/^~+\n?/gm, '')
    .replace(/\nPCRE2 regex engine error:[\s\S]*$/, '')
    .replace(/^rg: regex could not be compiled[^\n]*\n*default regex engine error:\n/, '')
    .replace(/^rg: /, '')
    .trim()
}
