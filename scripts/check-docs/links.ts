/** Finds relative links that lead nowhere, headings included. Pure. */

import { posix } from 'node:path'
import { withoutCode } from './fences.ts'

/** `[text](target "title")`, images too, and `[name]: target`. */
const LINK = /\]\(\s*<?([^\s)>]+)>?(?:\s+["'(][^)]*)?\)|^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)>?/gm

/** `files` are all files of the repository; a directory that holds one exists too. */
export function checkLinks(pages: ReadonlyMap<string, string>, files: ReadonlySet<string>): string[] {
  const known = new Set([...files, ...[...files].flatMap(ancestors), '.'])
  return [...pages].flatMap(([path, text]) =>
    [...withoutCode(text).matchAll(LINK)].flatMap(match => {
      const target = match[1] ?? match[2] ?? ''
      const fault = checkTarget(path, target, known, pages)
      return fault === undefined ? [] : [`${path}:${text.slice(0, match.index).split('\n').length}: the link ${target} ${fault}`]
    }),
  )
}

function checkTarget(page: string, target: string, known: ReadonlySet<string>, pages: ReadonlyMap<string, string>): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target) || target.startsWith('//')) return undefined
  const [file = '', anchor] = target.split('#')
  if (file.startsWith('/')) return 'is absolute; write it relative to the page'
  const path = file === '' ? page : posix.normalize(posix.join(posix.dirname(page), decodeURIComponent(file))).replace(/\/$/, '')
  if (!known.has(path)) return `is dead: there is no ${path}`
  const text = pages.get(path)
  if (anchor === undefined || text === undefined) return undefined
  return headings(text).has(anchor) ? undefined : `is dead: ${path} has no heading #${anchor}`
}

function ancestors(file: string): string[] {
  const parts = file.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

/** What the headings of a page can be linked by: small letters, dashes for spaces, a number for a repeated one. */
function headings(text: string): ReadonlySet<string> {
  const seen = new Map<string, number>()
  const slugs = new Set<string>()
  for (const [, title = ''] of text.matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const slug = title.toLowerCase().replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '').replaceAll(' ', '-')
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    slugs.add(count === 0 ? slug : `${slug}-${count}`)
  }
  return slugs
}
