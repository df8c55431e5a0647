/** Recognises writing, appending, replacing and to-do lists. Pure. */

import { QUOTATION, quotationOf, unmask, valueOf, type Quoted } from './mask-quotes.ts'
import { bareWord, pathOf } from './path-words.ts'
import type { Command, TodoItem } from './types.ts'

const WRITE = /^(?:write|create|make|save|generate|add|put|overwrite|new\s+file)\b\s*:?\s*/i
const FILE_WORDS = /^(?:(?:the\s+following|this)(?:\s+(?:text|content|lines?))?\s+(?:to|in|into|as)\s+)?(?:(?:to|into|a|an|the|new|empty|text|file|named|called)\s+)*/i
const MARKER = /^[\s,:]*(?:(?:and\s+)?(?:with|having)\s+(?:(?:the|this|following)\s+)*(?:contents?|text|body|lines?)(?:\s+(?:of|as|is|being))?|(?:and\s+)?contain(?:ing|s)|that\s+(?:contains|says|reads)|which\s+(?:contains|says|reads)|saying|reading|contents?|with|:)(?:\s+(?:the\s+)?(?:following|text|line|words?)(?=[\s:]))*\s*:?\s*/i
const EMPTY = /\bempty\b/i
const CONTENT_FIRST = new RegExp(`^(?:the\\s+)?(?:text\\s+|content\\s+|line\\s+|words?\\s+)?(${QUOTATION})\\s+(?:in|to|into|as)\\s+(?:(?:a|the|new|file|named|called)\\s+)*(\\S+)$`, 'i')

export function recogniseWrite(text: string, quoted: readonly Quoted[]): Command | undefined {
  const verb = WRITE.exec(text)?.[0]
  if (verb === undefined) return undefined
  const rest = text.slice(verb.length)
  const mayOverwrite = !/^(?:create|make|new|add)/i.test(verb)
  const first = CONTENT_FIRST.exec(rest)
  if (first) return /^add/i.test(verb) ? undefined : contentFirst(first, mayOverwrite, quoted)
  const wished = UNQUOTED.exec(rest)
  if (wished) return contentMissing(wished, quoted)
  const target = rest.slice(FILE_WORDS.exec(rest)?.[0].length ?? 0)
  const word = new RegExp(`^(?:${QUOTATION}|[^\\s,]+)`).exec(target)?.[0]
  const path = word === undefined ? undefined : pathOf(word, quoted)
  if (word === undefined || path === undefined || /[*?]|\/$/.test(path)) return undefined
  const tail = target.slice(bareWord(word).length)
  if (/^[.!]?$/.test(tail.trim())) return withoutContent(path, text, mayOverwrite)
  return withContent(path, tail, mayOverwrite, quoted)
}

const UNQUOTED = /^((?!(?:a|an|the|this|that|my|our|your|some|it|to|new|empty|file|tests?|docs?|code)\b)[\w']+(?:\s[\w']+){0,4})\s+(?:to|into|as)\s+(\S+)$/i

/** A few plain words for a file are hardly a wish, but might be: the user shall say so. */
function contentMissing([, words = '', word = '']: readonly string[], quoted: readonly Quoted[]): Command | undefined {
  const path = pathOf(word, quoted)
  return path === undefined ? undefined : { kind: 'incomplete', advice: `If ${path} shall hold these very words, put them in quotes: write "${words}" to ${path}.` }
}

function contentFirst([, hidden, word]: readonly string[], mayOverwrite: boolean, quoted: readonly Quoted[]): Command | undefined {
  const path = pathOf(word ?? '', quoted)
  return path === undefined ? undefined : { kind: 'write', path, content: contentOf(hidden ?? '', quoted), mayOverwrite }
}

function withoutContent(path: string, text: string, mayOverwrite: boolean): Command {
  if (EMPTY.test(text) || !mayOverwrite) return { kind: 'write', path, content: '', mayOverwrite: false }
  return { kind: 'incomplete', advice: `Say what ${path} shall hold, for example: write ${path} with content "hello".` }
}

/** Text without quotes is taken only after a word that announces it literally: "with a login page" is a wish, not content. */
function withContent(path: string, tail: string, mayOverwrite: boolean, quoted: readonly Quoted[]): Command | undefined {
  const marker = MARKER.exec(tail)?.[0]
  const said = (marker === undefined ? tail : tail.slice(marker.length)).trim().replace(/(?<=\uE001)\s+(?:in|inside)(?:\s+(?:it|of\s+it))?$/i, '')
  const isLiteral = marker !== undefined && !/^[\s,]*with\s*$/i.test(marker)
  const first = new RegExp(`^${QUOTATION}(?=\\s*[.!]?$)`).exec(said)?.[0]
  if (first !== undefined) return { kind: 'write', path, content: contentOf(first, quoted), mayOverwrite }
  if (said === '') return { kind: 'incomplete', advice: `Say what ${path} shall hold, for example: write ${path} with content "hello".` }
  if (isLiteral) return { kind: 'write', path, content: unmask(said, quoted), mayOverwrite }
  return marker === undefined ? undefined : { kind: 'incomplete', advice: `I cannot think of content for ${path} myself. Put it in quotes or in a fenced block, for example: write ${path} with content "hello".` }
}

/** Between double quotes people write `\n` for a line break; everywhere else a backslash is a backslash. */
function contentOf(piece: string, quoted: readonly Quoted[]): string {
  const quotation = quotationOf(piece, quoted)
  if (!quotation) return unmask(piece.trim(), quoted)
  return quotation.style === 'double' ? quotation.value.replace(/\\n/g, '\n').replace(/\\t/g, '\t') : quotation.value
}

const APPEND = new RegExp(`^(?:append|add|insert)\\s+(?:(?:a|the|this|following|new)\\s+)*(?:(?:line|text|content|words?)\\s*:?\\s+)*(${QUOTATION}|.+?)\\s+(?:to|at)\\s+(?:the\\s+)?(?:(?:end|bottom)\\s+of\\s+)?(?:the\\s+)?(?:file\\s+)?(\\S+)$`, 'i')
const APPEND_TO = /^(?:append|add)\s+to\s+(?:the\s+)?(?:(?:end|bottom)\s+of\s+)?(?:the\s+)?(?:file\s+)?([^\s:,]+)[\s,:]+(?:(?:the\s+)?(?:text|line|content)\s*:?\s+)?([\s\S]+)$/i

export function recogniseAppend(text: string, quoted: readonly Quoted[]): Command | undefined {
  const to = APPEND_TO.exec(text)
  const match = to ? undefined : APPEND.exec(text)
  const [hidden, word] = to ? [to[2], to[1]] : [match?.[1], match?.[2]]
  const path = pathOf(word ?? '', quoted)
  if (hidden === undefined || path === undefined) return undefined
  if (quotationOf(hidden, quoted)) return { kind: 'append', path, content: contentOf(hidden, quoted) }
  if (/^append/i.test(text) && !isVague(hidden, quoted)) return { kind: 'append', path, content: unmask(hidden, quoted) }
  return /^append/i.test(text) ? { kind: 'incomplete', advice: `Put what is to be appended to ${path} in quotes, for example: append "one more line" to ${path}.` } : undefined
}

const SUBJECT = '(?:(?:(?:all|every|each|any|the)\\s+)*(?:occurrences?|instances?)\\s+of\\s+|(?:all|every|each)\\s+)?(?:(?:the\\s+)?(?:text|string|word|line|variable|function|class|constant|method|symbol|name)\\s+)?'
const REPLACE = new RegExp(`^(?:replace|substitute|change|rename|swap)\\s+${SUBJECT}(.+?)\\s+(?:with|by|to|into|for)\\s+(.+?)(?:\\s+everywhere)?\\s+(?:in|inside|within|of)\\s+(?:the\\s+)?(?:file\\s+)?(\\S+)(?:\\s+everywhere)?$`, 'i')
const IN_FILE = new RegExp(`^(?:in|inside|edit|update)\\s+(?:the\\s+)?(?:file\\s+)?(\\S+?)\\s*[,:]?\\s+(?:and\\s+)?(?:replace|substitute|change|rename|swap)\\s+${SUBJECT}(.+?)\\s+(?:with|by|to|into|for)\\s+(.+?)(?:\\s+everywhere)?$`, 'i')
const VAGUE = /^(?:a|an|the|my|our|your|its|it|this|that|these|those|something|everything)\b/i

export function recogniseReplace(text: string, quoted: readonly Quoted[]): Command | undefined {
  const inFile = IN_FILE.exec(text)
  const [from, to, word] = inFile ? [inFile[2], inFile[3], inFile[1]] : (REPLACE.exec(text)?.slice(1) ?? [])
  if (from === undefined || to === undefined) return missingFile(text, quoted)
  const path = pathOf(word ?? '', quoted)
  if (path === undefined || isVague(from, quoted) || isVague(to, quoted)) return undefined
  const [old, fresh] = [contentOf(from, quoted), contentOf(to, quoted)]
  if (old === '' || old === fresh) return { kind: 'incomplete', advice: `There is nothing to replace in ${path}: ${old === '' ? 'the old text is empty' : 'the old and the new text are the same'}.` }
  return { kind: 'replace', path, from: old, to: fresh }
}

function missingFile(text: string, quoted: readonly Quoted[]): Command | undefined {
  const pair = new RegExp(`^(?:replace|substitute)\\s+${SUBJECT}(\\S+)\\s+(?:with|by)\\s+(\\S+)$`, 'i').exec(text)
  if (!pair || !pair.slice(1).every(piece => quotationOf(piece, quoted))) return undefined
  return { kind: 'incomplete', advice: 'Say in which file, for example: replace "old" with "new" in notes.txt.' }
}

function isVague(words: string, quoted: readonly Quoted[]): boolean {
  return quotationOf(words, quoted) === undefined && (VAGUE.test(words) || words.split(/\s+/).length > 5)
}

const TODO = /^(?:(?:make|create|write|set|add|start|update|keep|plan)\s+)?(?:(?:a|the|my|this|these|following|new)\s+)*(?:to-?\s?dos?(?:[-\s]list)?)(?:\s+(?:items?|with|of|for|called))*\s*:\s*([\s\S]*)$/i
const MARKED = /^\[([ xX~>-])\]\s*/

/** Items stand behind a colon, separated by lines, semicolons or commas. `[x]` and `[~]` set their state. */
export function recogniseTodo(text: string, quoted: readonly Quoted[]): Command | undefined {
  const said = TODO.exec(text)?.[1]
  if (said === undefined) return undefined
  const separator = said.includes('\n') ? /\n+/ : said.includes(';') ? /\s*;\s*/ : /\s*,\s*(?:and\s+)?/
  const items = new Map<string, TodoItem>()
  for (const piece of said.split(separator)) {
    const item = todoItem(piece.trim().replace(/^(?:[-*•]|\d+[.)])\s+/, ''), quoted)
    if (item.content !== '' && !items.has(item.content)) items.set(item.content, item)
  }
  if (items.size === 0) return { kind: 'incomplete', advice: 'Name the items, for example: todo: write the test, fix the bug.' }
  return { kind: 'todo', items: [...items.values()] }
}

function todoItem(piece: string, quoted: readonly Quoted[]): TodoItem {
  const mark = MARKED.exec(piece)?.[1]?.toLowerCase()
  const status = mark === 'x' ? 'completed' : mark === '~' || mark === '>' ? 'in_progress' : 'pending'
  return { content: valueOf(bareWord(piece.replace(MARKED, '').trim()), quoted).trim(), status }
}
