/** Recognises reading and listing of files. Pure. */

import { QUOTATION, quotationOf, unmask, valueOf, type Quoted } from './mask-quotes.ts'
import { bareWord, IT, isHere, isPathLike, pathOf, pathsOf } from './path-words.ts'
import { looksLikeShell } from './recognise-run.ts'
import type { Command } from './types.ts'

const READ = /^(?:read|show|open|print|display|cat|view|look\s+at|look\s+into|output|dump)\b\s*:?\s*(?:me\s+)?/i
const CONTENTS = /^(?:the\s+)?(?:full\s+|whole\s+|entire\s+)?(?:contents?|text|source)\s+of\s+/i
const INSIDE = /^(?:(?:show|tell)\s+me\s+)?what(?:'s|\s+is|\s+does|\s+are)?\s+(?:the\s+contents?\s+of\s+|inside\s+(?:of\s+)?|in\s+)?(?:the\s+)?(?:file\s+)?(\S+?)(?:\s+(?:file|contain|contains|say|says))?$/i
const LINES = /^(?:the\s+)?lines?\s+(\d+)\s*(?:-|–|to|through|\.\.)\s*(\d+)\s+(?:of|in|from)\s+(?:the\s+)?(?:file\s+)?(\S+)$/i
const LINES_AFTER = /^(?:the\s+)?(?:file\s+)?(\S+?),?\s+\(?(?:from\s+)?lines?\s+(\d+)\s*(?:-|–|to|through|\.\.)\s*(\d+)\)?$/i
const FIRST_LINES = /^(?:the\s+)?(?:first|top)\s+(\d+)\s+lines?\s+(?:of|in|from)\s+(?:the\s+)?(?:file\s+)?(\S+)$/i
const README = /^(?:the\s+|this\s+|your\s+|project(?:'s)?\s+)*read\s?me(?:\s+file)?$/i

export function recogniseRead(text: string, quoted: readonly Quoted[]): Command | undefined {
  const verb = READ.exec(text)?.[0]
  if (verb === undefined || /^show\s+me\s+what\b/i.test(text)) return inside(text, quoted)
  const rest = text.slice(verb.length).replace(CONTENTS, '').trim()
  if (README.test(rest)) return { kind: 'read-readme' }
  if (rest === '' && !/^(?:show|open|display|look)/i.test(text)) return { kind: 'incomplete', advice: 'Say which file to read, for example: read README.md.' }
  const shell = quotationOf(rest, quoted)
  if (shell?.style === 'tick' && looksLikeShell(shell.value)) return { kind: 'run', command: shell.value }
  const command = rest.replace(/^the\s+/i, '')
  if (/^git\s/.test(command) && looksLikeShell(command)) return { kind: 'run', command: unmask(command, quoted) }
  return lines(rest, quoted) ?? whole(rest, quoted)
}

function whole(rest: string, quoted: readonly Quoted[]): Command | undefined {
  if (/^(?:that|this|the)\s+(?:new\s+)?file(?:\s+(?:back|again))?$/i.test(rest)) return { kind: 'read', paths: [IT] }
  const words = rest.replace(/\s+(?:file|files|out|now|back|again|to\s+me)$/i, '')
  if (isHere(words) && !/^it$/i.test(words)) return undefined
  if (/^\S+\/$/.test(words)) return { kind: 'list', pattern: '**/*', path: valueOf(words, quoted) }
  const paths = pathsOf(words, quoted)
  return paths && !paths.some(path => /[*?]/.test(path)) ? { kind: 'read', paths } : undefined
}

function lines(rest: string, quoted: readonly Quoted[]): Command | undefined {
  const first = FIRST_LINES.exec(rest)
  if (first) return range(first[2], '1', first[1], quoted)
  const before = LINES.exec(rest)
  if (before) return range(before[3], before[1], before[2], quoted)
  const after = LINES_AFTER.exec(rest)
  return after ? range(after[1], after[2], after[3], quoted) : undefined
}

function range(word: string | undefined, from: string | undefined, to: string | undefined, quoted: readonly Quoted[]): Command | undefined {
  const path = pathOf(word ?? '', quoted)
  const [offset, end] = [Math.max(1, Number(from)), Number(to)]
  return path === undefined || end < offset ? undefined : { kind: 'read', paths: [path], offset, limit: end - offset + 1 }
}

function inside(text: string, quoted: readonly Quoted[]): Command | undefined {
  const word = INSIDE.exec(text)?.[1]
  if (word === undefined || isHere(word)) return undefined
  if (/^read\s?me$/i.test(word)) return { kind: 'read-readme' }
  const path = pathOf(word, quoted)
  if (path === undefined || /[*?]/.test(path)) return undefined
  if (/\/$|^\.{1,2}$/.test(path)) return { kind: 'list', pattern: '**/*', path }
  return /^what(?:'s|\s+is)\s+\S+$/i.test(text) ? undefined : { kind: 'read', paths: [path] }
}

const FILES_IN = /^(?:(?:list|show|find|get|display|print)(?:\s+me)?|what|which|ls|dir)\s+(?:out\s+)?(?:are\s+)?(?:all\s+)?(?:of\s+)?(?:the\s+|my\s+)?(?:(\S+)\s+)?(?:files?|contents?)(?:\s+(?:are|do\s+you\s+see|exist|is|there|we\s+have|you\s+can\s+see))*(?:\s+(?:there|here))*(?:\s+(?:in|of|under|inside|from|within|at)\s+(.+?))?$/i
const LIST_DIR = /^(?:list|ls|dir|tree)(?:\s+(?:of|in|the|folder|directory|under))*(?:\s+(\S+?))?(?:\s+(?:folder|directory))?$/i
const NAMED = new RegExp(`^(?:find|list|show|locate|search\\s+for|look\\s+for|glob)\\s+(?:me\\s+)?(?:all\\s+)?(?:the\\s+)?(?:a\\s+)?(?:files?|paths?)\\s+(?:named|called|matching|like|with\\s+(?:the\\s+)?name)\\s+(${QUOTATION}|\\S+)(?:\\s+(?:in|under|inside|within)\\s+(.+))?$`, 'i')
const GLOB = new RegExp(`^(?:glob|find|list|ls|locate|show)\\s+(?:me\\s+)?(?:all\\s+)?(?:the\\s+)?(?:files?\\s+)?(${QUOTATION}|\\S+)(?:\\s+files?)?(?:\\s+(?:in|under|inside|within)\\s+(.+))?$`, 'i')

const LANGUAGES: Readonly<Record<string, string>> = {
  typescript: '*.{ts,tsx,mts,cts}', javascript: '*.{js,jsx,mjs,cjs}', python: '*.py', rust: '*.rs', go: '*.go', java: '*.java', ruby: '*.rb',
  markdown: '*.{md,markdown}', json: '*.json', yaml: '*.{yml,yaml}', css: '*.css', html: '*.{html,htm}', shell: '*.sh', test: '*{test,spec}*', text: '*.txt',
}

/** Lists recursively: a listing is of files, and folders show in their paths. */
export function recogniseList(text: string, quoted: readonly Quoted[]): Command | undefined {
  if (/^(?:list|ls|dir|tree|list\s+everything|list\s+(?:this|the)\s+(?:folder|directory))$/i.test(text)) return { kind: 'list', pattern: '**/*' }
  const named = NAMED.exec(text)
  if (named) return within(anywhere(valueOf(bareWord(named[1] ?? ''), quoted)), named[2], quoted)
  return filesIn(text, quoted) ?? globbed(text, quoted) ?? listed(text, quoted)
}

function filesIn(text: string, quoted: readonly Quoted[]): Command | undefined {
  const match = FILES_IN.exec(text)
  if (!match) return undefined
  const [, kind, place] = match
  const pattern = kind === undefined || /^(?:all|the|any|source|code|project|my|these|every|current)$/i.test(kind) ? '**/*' : patternOf(kind, quoted)
  return pattern === undefined ? undefined : within(pattern, place, quoted)
}

/** `*.ts`, `.ts`, `ts` or `TypeScript` as a pattern. */
function patternOf(kind: string, quoted: readonly Quoted[]): string | undefined {
  const word = valueOf(kind, quoted)
  const language = LANGUAGES[word.toLowerCase()]
  if (language !== undefined) return `**/${language}`
  if (/[*?[{]/.test(word)) return anywhere(word)
  if (/^\.\w{1,8}$/.test(word)) return `**/*${word}`
  return /^[a-z][a-z0-9]{0,3}$/.test(word) ? `**/*.${word}` : undefined
}

function globbed(text: string, quoted: readonly Quoted[]): Command | undefined {
  const match = GLOB.exec(text)
  if (!match) return undefined
  const word = valueOf(bareWord(match[1] ?? ''), quoted)
  if (/^glob\b/i.test(text) || (/[*?]/.test(word) && !/\s/.test(word))) return within(anywhere(word), match[2], quoted)
  const isFile = /^(?:find|locate)\b/i.test(text) && quotationOf(match[1] ?? '', quoted) === undefined && isPathLike(word)
  return isFile ? within(anywhere(word), match[2], quoted) : undefined
}

function listed(text: string, quoted: readonly Quoted[]): Command | undefined {
  const match = LIST_DIR.exec(text)
  if (!match) return undefined
  const word = match[1] ?? ''
  if (!/^(?:ls|dir|tree)\b/i.test(text) && !isPathLike(bareWord(word), quoted) && !/folder|directory|\sin\s/i.test(text)) return undefined
  return within('**/*', word, quoted)
}

function within(pattern: string, place: string | undefined, quoted: readonly Quoted[]): Command | undefined {
  const words = place?.trim().replace(/^(?:the\s+)?(?:folder|directory|dir)\s+/i, '').replace(/\s+(?:folder|directory|dir)$/i, '') ?? ''
  if (words === '' || isHere(words) || isHere(place ?? '')) return { kind: 'list', pattern }
  const bare = bareWord(words.replace(/^the\s+/i, ''))
  return /\s/.test(bare) ? undefined : { kind: 'list', pattern, path: valueOf(bare, quoted) }
}

/** A pattern without a folder is looked for at every depth. */
function anywhere(pattern: string): string {
  return pattern.includes('/') ? pattern.replace(/^\.\//, '') : `**/${pattern}`
}
