/** The whole check: what it runs for which arguments, how it counts, and what it says last. */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseArguments, planChecks } from '../../scripts/test-all/plan.ts'
import { runChild } from '../../scripts/test-all/run-child.ts'
import { runCheck } from '../../scripts/test-all/run-check.ts'
import { addTallies, isGreen, renderTally } from '../../scripts/test-all/tally.ts'

const repository = join(import.meta.dirname, '../..')

it('says how many passed, failed and, when some were, were skipped', () => {
  const total = addTallies([{ passed: 3, failed: 0, skipped: 0 }, { passed: 1, failed: 2, skipped: 0 }])

  expect([renderTally(total), renderTally({ ...total, skipped: 4 })]).toEqual(['4 passed, 2 failed', '4 passed, 2 failed, 4 skipped'])
})

it('is green only when something passed and nothing failed', () => {
  expect([{ passed: 1, failed: 0, skipped: 9 }, { passed: 1, failed: 1, skipped: 0 }, { passed: 0, failed: 0, skipped: 9 }].map(isGreen)).toEqual([true, false, false])
})

it('runs every check and every test without arguments, and less with them', () => {
  expect(parseArguments([])).toEqual({ checks: 'all', tests: true, live: false, filter: [] })
  expect(parseArguments(['--checks'])).toEqual({ checks: 'all', tests: false, live: false, filter: [] })
  expect(parseArguments(['--live'])).toEqual({ checks: 'bundle', tests: true, live: true, filter: [] })
  expect(parseArguments(['packages/llm', '-t', 'a name'])).toEqual({ checks: 'bundle', tests: true, live: false, filter: ['packages/llm', '-t', 'a name'] })
  expect(planChecks(repository, parseArguments([])).map(each => each.name)).toEqual(['bundle', 'types', 'lint', 'layers', 'source', 'docs', 'catalog', 'manual'])
  expect(planChecks(repository, parseArguments(['x'])).map(each => each.name)).toEqual(['bundle'])
})

it('counts a check by its exit code, and one that is missing as failed', async () => {
  let report = ''
  const settings = { root: repository, print: (text: string) => { report += text.replace(/\([\d.]+ s\)/, '(N s)') } }
  const tallies = [
    await runCheck({ name: 'a', args: ['-e', "console.log('not shown')"] }, settings),
    await runCheck({ name: 'b', args: ['-e', "console.log('shown'); process.exit(3)"] }, settings),
    await runCheck({ name: 'c', args: [], missing: 'c.ts does not exist' }, settings),
  ]

  expect(addTallies(tallies)).toEqual({ passed: 1, failed: 2, skipped: 0 })
  expect(report).toBe('✓ a (N s)\n✗ b: FAILED, exit 3 (N s)\n    shown\n✗ c: FAILED, c.ts does not exist (N s)\n')
})

it('stops a child that takes too long', async () => {
  const end = await runChild(['-e', "console.log('begun'); setInterval(() => {}, 1000)"], { cwd: repository, timeoutMs: 500, collect: true })

  expect(end).toEqual({ code: null, signal: 'SIGTERM', timedOut: true, output: 'begun\n' })
})

it('counts what fails outside a test as a failed test', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'dsh-counts-')))
  const counts = join(folder, 'counts.json')
  const vitest = JSON.stringify(join(repository, 'node_modules/vitest/dist/index.js'))
  writeFileSync(join(folder, 'a.spec.ts'), `
    import { describe, beforeAll, expect, it } from ${vitest}
    it('passes', () => {}); it('fails', () => { expect(1).toBe(2) }); it.skip('is skipped', () => {}); it.todo('is to do')
    describe('a suite', () => { beforeAll(() => { throw new Error('hook') }); it('never runs', () => {}) })
  `)
  writeFileSync(join(folder, 'b.spec.ts'), "throw new Error('does not load')")
  try {
    await runChild(
      [join(repository, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder, `--reporter=${join(repository, 'scripts/vitest-reporter.ts')}`],
      { cwd: folder, env: { ...process.env, DSH_TEST_COUNTS: counts }, timeoutMs: 15_000, collect: true },
    )

    // Failed: the test, the hook of the suite, the file. The test behind the hook is skipped.
    expect(JSON.parse(readFileSync(counts, 'utf8'))).toEqual({ passed: 1, failed: 3, skipped: 3 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
