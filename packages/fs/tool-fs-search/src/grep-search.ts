/** One grep: ripgrep over the tree, a second look for lines that are too long, a third when nothing was found. */

import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { listFiles, walkArgs, type NameFilter, type Ripgrep, type RunOutcome, type Walk } from '@deepseek-ai/dsh-file-listing'
import { SearchError } from './errors.ts'
import { MatchCollector } from './collect-matches.ts'
import { compileGlob } from './name-filter.ts'
import { GrepParser, type GrepLine } from './parse-grep-output.ts'
import { readComplaints } from './read-complaints.ts'
import type { SearchRoot } from './search-root.ts'
import { describeFiltered } from './walk-options.ts'

/** Finding a match inside a line costs ripgrep 16 bytes a match, so it is done in files up to this size only. */
const MOST_LOCATED_BYTES = 8 * 1024 * 1024
/** Files that an empty result counts as filtered. */
const MOST_FILTERED = 1_000
/** Counting them may mean to search all that was installed: it is a remark, and not worth more time. */
const FILTERED_TIMEOUT_MS = 1_500

export interface GrepRequest extends Walk {
  pattern: string
  glob?: string | undefined
  context: number
  caseInsensitive: boolean
  limit: number
  maxLineBytes: number
  maxReadBytes: number
  signal: AbortSignal
}

export interface GrepFound {
  /** Paths are relative to `directory`. */
  lines: GrepLine[]
  directory: string
  matches: number
  binary: string[]
  skipped: string[]
  ended: RunOutcome['kind']
  /** Sentences about what was left out of, or taken into, the search. */
  notes: string[]
}

/** Throws `INVALID_PATTERN` with ripgrep's words, or `SEARCH_FAILED`. */
export async function grepSearch(ripgrep: Ripgrep, root: SearchRoot, request: GrepRequest): Promise<GrepFound> {
  const found = await searchOnce(ripgrep, root, request)
  if (found.matches > 0 || found.ended !== 'exited' || root.kind === 'file') return found
  if (root.explicit && (await isFilteredOut(ripgrep, root, request))) {
    const all = await searchOnce(ripgrep, root, { ...request, hidden: true, no_ignore: true })
    return { ...all, notes: ['All files there are hidden or ignored by git; they were searched because you named the directory.'] }
  }
  return { ...found, notes: await countFiltered(ripgrep, root, request) }
}

async function searchOnce(ripgrep: Ripgrep, root: SearchRoot, request: GrepRequest): Promise<GrepFound> {
  const directory = root.kind === 'file' ? dirname(root.path) : root.path
  // A file that was named is searched whatever the glob says.
  const filter = request.glob === undefined || root.kind === 'file' ? undefined : await compileGlob(request.glob)
  const { limit, context, maxReadBytes, signal } = request
  const collector = new MatchCollector({ limit, context, maxReadBytes, accepts: path => !filter || filter.matches(path) })
  const target = root.kind === 'file' ? `./${basename(root.path)}` : '.'
  const args = [...lineArgs(request), '--sort', 'path', ...walkArgs(request), ...(filter?.args ?? []), '--', target]
  const outcome = await ripgrep.run(args, { cwd: directory, signal, onOutput: chunk => collector.push(chunk) })
  const { skipped, failure } = readComplaints(outcome.stderr)
  if (outcome.kind === 'exited' && outcome.status > 1 && failure !== '' && collector.matches === 0) throw asError(failure)
  const lines = await locate(ripgrep, directory, request, collector.lines)
  return { lines, directory, matches: collector.matches, binary: collector.binary, skipped, ended: outcome.kind, notes: [] }
}

/** What every run over contents is given, so that all of them see the same lines. */
function lineArgs({ pattern, caseInsensitive, context, maxLineBytes }: GrepRequest): string[] {
  return [
    ...patternArgs({ pattern, caseInsensitive }),
    ...['--color=never', '--no-heading', '--with-filename', '--null', '--line-number', '--byte-offset', '--no-context-separator'],
    ...['--max-columns', String(maxLineBytes), '--context', String(context)],
  ]
}

function patternArgs({ pattern, caseInsensitive }: Pick<GrepRequest, 'pattern' | 'caseInsensitive'>): string[] {
  // A pattern that names a line break can only match across lines.
  const multiline = /\n|\\n/.test(pattern) ? ['--multiline'] : []
  return ['--engine=auto', '--crlf', ...multiline, ...(caseInsensitive ? ['--ignore-case'] : ['--case-sensitive']), '--regexp', pattern]
}

function asError(failure: string): SearchError {
  const aboutPattern = /regex|pattern|PCRE2|literal/i.test(failure)
  return aboutPattern
    ? new SearchError('INVALID_PATTERN', `the pattern is not a valid regular expression: ${failure}`)
    : new SearchError('SEARCH_FAILED', `ripgrep failed: ${failure}`)
}

/** Adds to matches in overlong lines the column where they start. */
async function locate(ripgrep: Ripgrep, directory: string, request: GrepRequest, lines: readonly GrepLine[]): Promise<GrepLine[]> {
  const long = new Set(lines.filter(({ isMatch, text }) => isMatch && text === undefined).map(({ path }) => path))
  const small = await Promise.all([...long].map(async path => ((await stat(join(directory, path))).size <= MOST_LOCATED_BYTES ? [`./${path}`] : [])))
  const files = small.flat()
  if (files.length === 0) return [...lines]
  const columns = new Map<string, number>()
  const parser = new GrepParser({ columns: true })
  const onOutput = (chunk: Buffer): boolean => {
    for (const record of parser.push(chunk)) {
      if (record.kind === 'line' && record.line.column !== undefined) columns.set(`${record.line.path}\0${record.line.line}`, record.line.column)
    }
    return true
  }
  await ripgrep.run([...lineArgs({ ...request, context: 0 }), '--column', '--', ...files], { cwd: directory, signal: request.signal, onOutput })
  return lines.map(line => {
    const column = line.isMatch && line.text === undefined ? columns.get(`./${line.path}\0${line.line}`) : undefined
    return column === undefined ? line : { ...line, column }
  })
}

/** Whether the default filters leave nothing of the directory. */
async function isFilteredOut(ripgrep: Ripgrep, root: SearchRoot, { signal, maxReadBytes, ...walk }: GrepRequest): Promise<boolean> {
  const { paths } = await listFiles(ripgrep, { directory: root.path, args: ['--files', ...walkArgs(walk)], most: 1, maxReadBytes, signal })
  return paths.length === 0
}

async function countFiltered(ripgrep: Ripgrep, root: SearchRoot, request: GrepRequest): Promise<string[]> {
  if (request.hidden && request.no_ignore) return []
  const { signal, maxReadBytes, glob } = request
  const filter: NameFilter | undefined = glob === undefined ? undefined : await compileGlob(glob)
  const args = [...patternArgs(request), '--files-with-matches', ...walkArgs({ hidden: true, no_ignore: true })]
  const { paths, outcome } = await listFiles(ripgrep, { directory: root.path, args, filter, most: MOST_FILTERED, maxReadBytes, timeoutMs: FILTERED_TIMEOUT_MS, signal })
  return describeFiltered(paths, request, outcome.kind === 'exited')
}
