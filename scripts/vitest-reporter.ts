/**
 * A vitest reporter that writes the counts of a run as JSON to the file named by `DSH_TEST_COUNTS`.
 * What fails outside a test counts as a failed test: a file that does not load, a hook, an unhandled error.
 */
import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'
import type { Tally } from './test-all/tally.ts'

/** Counts when the run has ended; does nothing without the variable. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const file = process.env.DSH_TEST_COUNTS
    if (file) writeFileSync(file, JSON.stringify(countModules(modules, unhandledErrors.length)))
  }
}

function countModules(modules: readonly TestModule[], unhandled: number): Tally {
  const tally: Tally = { passed: 0, failed: unhandled, skipped: 0 }
  for (const each of modules) {
    if (each.errors().length > 0) tally.failed += 1
    for (const suite of each.children.allSuites()) if (suite.errors().length > 0) tally.failed += 1
    for (const test of each.children.allTests()) tally[countAs(test.result().state)] += 1
  }
  return tally
}

/** A test that was still pending when the run ended did not pass. */
function countAs(state: 'passed' | 'failed' | 'skipped' | 'pending'): keyof Tally {
  return state === 'pending' ? 'failed' : state
}
