/**
 * Writes `docs/man/dsh.1`, the manual page, from the tables of the command line.
 * Run: `node scripts/gen-man.ts`; with `--check` it writes nothing and fails when
 * the page is stale.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { renderManPage } from '@deepseek-ai/dsh-command-line/man-page'
import manifest from '../packages/app/dsh/package.json' with { type: 'json' }
import { report } from './repository/report.ts'

const page = join(import.meta.dirname, '../docs/man/dsh.1')
const text = renderManPage(manifest.version)

if (process.argv.includes('--check')) {
  const known = existsSync(page) ? readFileSync(page, 'utf8') : ''
  report('gen-man', known === text ? [] : ['docs/man/dsh.1:1: the manual is stale; run `node scripts/gen-man.ts` and commit what it writes'])
} else {
  mkdirSync(dirname(page), { recursive: true })
  writeFileSync(page, text)
}
