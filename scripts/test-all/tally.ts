/** Counts of what passed, failed and was skipped, and the line that reports them. */

/** How many tests or checks ended which way. */
export interface Tally {
  passed: number
  failed: number
  skipped: number
}

/** The sum of some tallies. */
export function addTallies(tallies: readonly Tally[]): Tally {
  const total: Tally = { passed: 0, failed: 0, skipped: 0 }
  for (const each of tallies) {
    total.passed += each.passed
    total.failed += each.failed
    total.skipped += each.skipped
  }
  return total
}

/** `N passed, N failed`, and `, N skipped` when there are some. */
export function renderTally({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** Nothing failed, and something ran: a run of nothing proves nothing. */
export function isGreen({ passed, failed }: Tally): boolean {
  return failed === 0 && passed > 0
}
