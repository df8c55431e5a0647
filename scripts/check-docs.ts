/**
 * Checks that documentation is true: the code on cookbook pages is cut from
 * tests, screens are those that tests compare with, and relative links lead somewhere. Run: `node scripts/check-docs.ts`;
 * with `--fix` it writes the code into the pages first.
 *
 * A page names a region by the words behind the language of a fence, which
 * viewers ignore; the region stands in the test between two comments:
 *
 *     ```ts region=tests/cookbook/tool.spec.ts#define        // #region define
 *     …                                                      …
 *     ```                                                    // #endregion
 *
 * A screen is a whole file: `text region=tests/e2e/screens/start-80x24.txt`.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkFences, fillFences } from './check-docs/fences.ts'
import { checkLinks } from './check-docs/links.ts'
import { checkRegionUse, readRegions } from './check-docs/regions.ts'
import { listFiles } from './repository/list-files.ts'
import { report } from './repository/report.ts'

const root = join(import.meta.dirname, '..')
const files = listFiles(root)
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const specs = new Map(files.filter(path => /^tests\/cookbook\/.*\.ts$/.test(path)).map(path => [path, read(path)]))
const { regions, problems } = readRegions(specs)
const screens = files.filter(path => /^tests\/e2e\/screens\/.*\.txt$/.test(path)).map(path => [path, read(path).trimEnd()] as const)
const sources = new Map([...regions, ...screens])
const pages = new Map(files.filter(path => path.endsWith('.md')).map(path => [path, read(path)]))

if (process.argv.includes('--fix')) {
  for (const [path, text] of pages) {
    const filled = fillFences(text, sources)
    if (filled === text) continue
    writeFileSync(join(root, path), filled)
    pages.set(path, filled)
  }
}

report('check-docs', [...problems, ...[...pages].flatMap(([path, text]) => checkFences(path, text, sources)), ...checkRegionUse(regions, pages), ...checkLinks(pages, new Set(files))])
