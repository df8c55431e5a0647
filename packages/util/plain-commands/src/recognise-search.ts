/** Recognises searches in files, on the web, and pages to fetch. Pure. */

import { QUOTATION, quotationOf, valueOf, type Quoted } from './mask-quotes.ts'
import { bareWord, isHere, isUrl } from './path-words.ts'
import type { Command } from './types.ts'

const SEARCH = /^(?:(?:search|look|scan)(?:\s+(?:the\s+)?(?:code|codebase|project|repo|files?))?\s+for|search|grep(?:\s+for)?|rg|find(?:\s+all)?(?:\s+(?:the\s+)?(?:files?|lines?|occurrences?|uses?|usages?|matches)(?:\s+(?:of|for|containing|with|that\s+contain|mentioning|matching))?)?|(?:list|show)\s+(?:me\s+)?(?:all\s+)?(?:the\s+)?files\s+(?:containing|with|that\s+contain|mentioning))\s+/i
const WHERE = new RegExp(`^(?:find\\s+|show\\s+me\\s+)?where\\s+(?:is|are|do\\s+we\\s+(?:use|define|call))?\\s*(?:the\\s+(?:function|class|variable|constant|type|method)\\s+)?(${QUOTATION}|[\\w$.-]+)(?:\\s+(?:is|are))?(?:\\s+(?:defined|used|declared|called|mentioned|implemented|imported|set))?$`, 'i')
const ENGLISH = /^(?:the|a|an|my|our|your|out|why|how|what|where|when|who|which|whether|me|some|any|all|every|this|that|it|and|bugs?|errors?|problems?|issues?)\b/i

/** `grep` takes its pattern as a regular expression, the other verbs take it literally. */
export function recogniseSearch(text: string, quoted: readonly Quoted[]): Command | undefined {
  const where = WHERE.exec(text)?.[1]
  if (where !== undefined) return { kind: 'search', pattern: literally(valueOf(bareWord(where), quoted)) }
  const verb = SEARCH.exec(text)?.[0]
  if (verb === undefined) return /^(?:search|grep)$/i.test(text) ? { kind: 'incomplete', advice: 'Say what to search for, for example: search for "main" in src.' } : undefined
  const isRegex = /^(?:grep|rg)/i.test(verb)
  const { needle, place, ignoreCase } = apart(text.slice(verb.length), isRegex)
  const word = needlePattern(needle, isRegex, quoted)
  const scope = word === undefined ? undefined : scopeOf(place, quoted)
  if (word === undefined || scope === undefined) return undefined
  return { kind: 'search', pattern: word, ...scope, ...(ignoreCase && { ignoreCase: true }) }
}

function apart(said: string, isRegex: boolean): { needle: string; place?: string; ignoreCase: boolean } {
  const ignoring = /,?\s+\(?(?:ignoring\s+case|case[- ]insensitive(?:ly)?)\)?$/i
  const rest = said.replace(ignoring, '').trim()
  const ignoreCase = ignoring.test(said)
  const inPlace = new RegExp(`^(${QUOTATION}|.+?)\\s+(?:in|inside|within|under|across|throughout)\\s+(.+)$`, 'i').exec(rest)
  if (inPlace) return { needle: inPlace[1] ?? '', place: inPlace[2] ?? '', ignoreCase }
  const pair = isRegex ? /^(\S+)\s+(\S+)$/.exec(rest) : null
  if (pair) return { needle: pair[1] ?? '', place: pair[2] ?? '', ignoreCase }
  return { needle: rest, ignoreCase }
}

function needlePattern(needle: string, isRegex: boolean, quoted: readonly Quoted[]): string | undefined {
  const said = needle.replace(/(?<=\S)\s+comments?$/i, '').replace(/^(?:the\s+)?(?:text|string|word|words|phrase|term|symbol|pattern|regex|function|class)\s+(?=\S)/i, '')
  const quotation = quotationOf(said, quoted)
  const slashes = /^\/(.+)\/$/.exec(said)?.[1]
  if (slashes !== undefined) return valueOf(slashes, quoted)
  if (quotation) return quotation.value === '' ? undefined : isRegex || /^(?:the\s+)?(?:pattern|regex)\s/i.test(needle) ? quotation.value : literally(quotation.value)
  const either = said.split(/\s*,\s*(?:(?:and|or)\s+)?|\s+(?:and|or)\s+/)
  if (either.length > 1 && either.every(piece => quotationOf(piece, quoted) || /^\w+$/.test(piece))) return either.map(piece => literally(valueOf(piece, quoted))).join('|')
  if (said === '' || ENGLISH.test(said) || said.split(/\s+/).length > 5) return undefined
  return isRegex ? valueOf(said, quoted) : literally(valueOf(bareWord(said), quoted))
}

/** Undefined when the place is neither the workspace nor something like a path. */
function scopeOf(place: string | undefined, quoted: readonly Quoted[]): { path?: string; glob?: string } | undefined {
  if (place === undefined || isHere(place)) return {}
  const kinds = /^(?:all\s+)?(?:the\s+)?\.?(\*\.\S+|\.\w+)\s*(?:files)?$/i.exec(place)?.[1]
  if (kinds !== undefined) return { glob: kinds.startsWith('.') ? `*${kinds}` : kinds }
  const word = bareWord(place.replace(/^(?:the\s+)?(?:(?:folder|directory|file)\s+)?/i, '').replace(/\s+(?:folder|directory|dir|file)$/i, ''))
  return /\s/.test(word) || word === '' ? undefined : { path: valueOf(word, quoted) }
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

export function recogniseWeb(text: string, quoted: readonly Quoted[]): Command | undefined {
  const fetched = new RegExp(`^(?:fetch|open|get|download|read|visit|browse|show)\\s+(?:me\\s+)?(?:the\\s+)?(?:(?:page|url|website|site)\\s+)?(?:at\\s+)?(${QUOTATION}|https?:\\S+)$`, 'i').exec(text)?.[1]
  const url = fetched === undefined ? '' : valueOf(bareWord(fetched), quoted)
  if (isUrl(url)) return { kind: 'fetch', url }
  const query = /^(?:(?:search|look\s+on|look\s+up\s+on)\s+(?:the\s+)?(?:web|internet|online)\s+(?:for\s+)?|web\s+search\s*:?\s+(?:for\s+)?|google\s+)(.+)$/i.exec(text)?.[1]
  return query === undefined ? undefined : { kind: 'web-search', query: valueOf(query, quoted) }
}
