/**
 * Writes `docs/catalog.md` from the sources: services, events, log events and
 * tools of every package. Run: `node scripts/gen-catalog.ts`; with `--check` it
 * writes nothing and fails when the page is stale.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readCatalog } from './gen-catalog/read-catalog.ts'
import { renderCatalog } from './gen-catalog/render-catalog.ts'
import { report } from './repository/report.ts'

const root = join(import.meta.dirname, '..')
const page = join(root, 'docs/catalog.md')
const text = renderCatalog(readCatalog(root))

if (process.argv.includes('--check')) {
  const known = existsSync(page) ? readFileSync(page, 'utf8') : ''
  report('gen-catalog', known === text ? [] : ['docs/catalog.md:1: the catalog is stale; run `node scripts/gen-catalog.ts` and commit what it writes'])
} else {
  mkdirSync(dirname(page), { recursive: true })
  writeFileSync(page, text)
}
