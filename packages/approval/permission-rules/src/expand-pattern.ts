/** Finds the files that a word with braces and wildcards stands for, as bash would by default. */

import type { FileSystem } from '@deepseek-ai/dsh-fs'
import { isUnresolvable } from './judge-file.ts'
import type { Place } from './types.ts'

const WILDCARD = /[*?[]/
const BRACES = /\{([^{}]*,[^{}]*)\}/

/** No more names than this are looked at. */
const MOST_NAMES = 2_000

/** Whether the word may stand for other names than its own. */
export function isPattern(text: string): boolean {
  return WILDCARD.test(text) || BRACES.test(text)
}

/** The names, relative where the word is; the word itself where nothing matches. Without a file system only braces are expanded. */
export async function expandPattern(fs: FileSystem | undefined, text: string, place: Place): Promise<string[]> {
  const found: string[] = []
  for (const word of expandBraces(text)) {
    const matches = fs && WILDCARD.test(word) ? await matchesOf(fs, word, place) : []
    found.push(...(matches.length > 0 ? matches : [word]))
  }
  return found
}

function expandBraces(text: string): string[] {
  let words = [text]
  while (words.length < MOST_NAMES && words.some(word => BRACES.test(word))) {
    words = words.flatMap(word => {
      const [whole, inner] = BRACES.exec(word) ?? []
      if (whole === undefined || inner === undefined) return [word]
      const at = word.indexOf(whole)
      return inner.split(',').map(each => word.slice(0, at) + each + word.slice(at + whole.length))
    })
  }
  return words.filter(word => word !== '')
}

async function matchesOf(fs: FileSystem, word: string, place: Place): Promise<string[]> {
  let names = [word.startsWith('/') ? '/' : '']
  for (const part of word.split('/').filter(each => each !== '')) {
    const next = await Promise.all(names.slice(0, MOST_NAMES).map(async name => (WILDCARD.test(part) ? (await namesIn(fs, name, place)).filter(each => matcherOf(part).test(each)) : [part]).map(each => `${name}${each}/`)))
    names = next.flat()
  }
  return names.slice(0, MOST_NAMES).map(name => name.slice(0, -1))
}

async function namesIn(fs: FileSystem, directory: string, place: Place): Promise<string[]> {
  try {
    const { entries } = await fs.listDir(await fs.resolve(directory === '' ? '.' : directory, { cwd: place.cwd, signal: place.signal }), place.signal)
    return entries.slice(0, MOST_NAMES).map(({ name }) => name)
  } catch (error) {
    if (!isUnresolvable(error, place)) throw error
    return []
  }
}

/** Names that begin with a dot are matched by a dot alone. */
function matcherOf(part: string): RegExp {
  const source = part.replace(/\[([!^]?)(\]?[^\]]*)\]|[*?]|[^]/g, (piece, not?: string, set?: string) => {
    if (piece === '*') return '.*'
    if (piece === '?') return '.'
    return set === undefined || piece.length === 1 ? RegExp.escape(piece) : `[${not === '' ? '' : '^'}${set.replaceAll(/[\\\]]/g, String.raw`\$&`)}]`
  })
  try {
    return new RegExp(`^${part.startsWith('.') ? '' : '(?!\\.)'}${source}$`, 's')
  } catch {
    return /^/ // A set that only the shell understands: anything may match.
  }
}
