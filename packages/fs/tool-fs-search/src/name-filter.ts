/**
 * Globs over paths. ripgrep's own `--glob` overrides the ignore rules for what
 * it matches, so here a glob only narrows: ripgrep gets at most a filter on
 * file names, which respects them, and the rest is decided on the results.
 */

import type { NameFilter } from '@deepseek-ai/dsh-file-listing'
import { SearchError } from './errors.ts'

/** Longer globs are refused: compiling them takes time and no one means them. */
const LONGEST = 1_000

/**
 * A glob with a slash is matched against the whole path, one without against
 * the file's name at any depth; a leading `!` inverts. `*` matches dot files
 * too: whether hidden files are searched is decided elsewhere. The library is
 * loaded with the first glob.
 */
export async function compileGlob(glob: string): Promise<NameFilter> {
  const inverted = glob.startsWith('!')
  const plain = normalize(inverted ? glob.slice(1) : glob)
  if (plain === '' || plain.length > LONGEST) throw new SearchError('INVALID_PATTERN', `"${glob}" is not a usable glob`)
  const { default: picomatch } = await import('picomatch')
  const isMatch = picomatch(plain.includes('/') ? plain : `**/${plain}`, { dot: true, nonegate: true, strictBrackets: false })
  return {
    args: inverted ? [] : typeArgs(plain),
    matches: path => isMatch(path) !== inverted,
  }
}

function normalize(glob: string): string {
  const plain = glob.replace(/^(\.?\/)+/, '')
  return plain.endsWith('/') ? `${plain}**` : plain
}

/** A file type made up for this run, from the last segment. Only characters that both glob dialects read alike are passed on. */
function typeArgs(glob: string): string[] {
  const last = glob.slice(glob.lastIndexOf('/') + 1)
  return /^[\w.*?-]+$/.test(last) && !last.includes('**') && !/[{}[\]()]/.test(glob) ? ['--type-add', `wanted:${last}`, '--type', 'wanted'] : []
}
