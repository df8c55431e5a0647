/**
 * Everything that must hold: `node scripts/test-all.ts [--checks] [--live] [vitest filter and options]`.
 *
 * Without arguments it runs every check and every test, stops at nothing, and counts a check as a
 * test. With a filter it builds the distribution and runs vitest alone; `--checks` runs the checks
 * alone; `--live` runs the tests that need a key. The last line is always `N passed, N failed`
 * (`, N skipped` when there are some); the exit code is 0 only if something ran and nothing failed.
 */
import { join } from 'node:path'
import { parseArguments, planChecks } from './test-all/plan.ts'
import { runCheck } from './test-all/run-check.ts'
import { runVitest } from './test-all/run-vitest.ts'
import { addTallies, isGreen, renderTally, type Tally } from './test-all/tally.ts'

const root = join(import.meta.dirname, '..')
const wish = parseArguments(process.argv.slice(2))
const tallies: Tally[] = []
for (const check of planChecks(root, wish)) tallies.push(await runCheck(check, { root, print: text => process.stdout.write(text) }))
if (wish.tests) tallies.push(await runVitest(root, wish))

const total = addTallies(tallies)
process.stdout.write(`${renderTally(total)}\n`)
process.exitCode = isGreen(total) ? 0 : 1
