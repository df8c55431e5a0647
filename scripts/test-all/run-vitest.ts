/** Runs vitest and reads the counts that `scripts/vitest-reporter.ts` leaves. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runChild } from './run-child.ts'
import type { Wish } from './plan.ts'
import type { Tally } from './tally.ts'

const TIMEOUT_MS = 14 * 60_000

/** The counts of the run; a run that broke off, or failed without a failed test, counts as one failure more. */
export async function runVitest(root: string, { filter, live }: Wish): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), 'dsh-test-'))
  const counts = join(folder, 'counts.json')
  try {
    const end = await runChild(
      [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...(process.stdout.isTTY ? [] : ['--no-color']), '--reporter=default', `--reporter=${join(root, 'scripts/vitest-reporter.ts')}`, ...filter],
      { cwd: root, env: { ...process.env, DSH_TEST_COUNTS: counts, ...(live ? { DSH_TEST_LIVE: '1' } : {}) }, timeoutMs: TIMEOUT_MS, collect: false },
    )
    const tally: Tally = existsSync(counts) ? JSON.parse(readFileSync(counts, 'utf8')) : { passed: 0, failed: 0, skipped: 0 }
    if (end.code === 0 || tally.failed > 0) return tally
    process.stdout.write(`✗ vitest: FAILED, ${end.timedOut ? `no end after ${TIMEOUT_MS / 1000} s` : `exit ${end.code ?? end.signal}`}\n`)
    return { ...tally, failed: tally.failed + 1 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
