/** Follows the relative imports of plugin files, so that what they load is fingerprinted with them. Reads files, runs nothing. */

import { dirname, resolve } from 'node:path'
import { readIfThere } from './fingerprint.ts'

/** More than this is no plugin; what is not followed is refused when it is loaded. */
const MOST = 2000

const CODE = /\.[cm]?[jt]sx?$/

/** A false positive costs a fingerprint; what is missed (a computed path) is refused when it is loaded. */
const RELATIVE = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*(['"`])(\.{1,2}\/[^'"`\n]+)\1/g

/** What `require` tries; an `import` names its file whole. */
const ENDINGS = ['', '.js', '.cjs', '.json', '.ts', '.cts', '/index.js', '/index.cjs', '/index.ts']

/** The files and those that they import, however far; files that are not there count. */
export function followImports(files: Iterable<string>): Set<string> {
  const found = new Set(files)
  for (const file of found) {
    if (found.size > MOST || !CODE.test(file)) continue
    const text = readIfThere(file)?.toString('utf8') ?? ''
    for (const [, , specifier = ''] of text.matchAll(RELATIVE)) {
      const target = resolve(dirname(file), specifier.replace(/[?#].*$/, ''))
      const ending = ENDINGS.find(each => readIfThere(target + each) !== undefined)
      if (ending !== undefined) found.add(target + ending)
    }
  }
  return found
}
