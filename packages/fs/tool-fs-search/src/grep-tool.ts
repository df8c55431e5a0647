/** The tool `grep`: searches the contents of files. */

import { join } from 'node:path'
import type { Ripgrep } from '@deepseek-ai/dsh-file-listing'
import { defineTool, text, type ToolCall, type ToolDefinition, type ToolReturn } from '@deepseek-ai/dsh-tools'
import { plural } from '@deepseek-ai/dsh-text'
import type { SearchConfig } from './config.ts'
import { grepSearch, type GrepFound, type GrepRequest } from './grep-search.ts'
import type { GrepLine } from './parse-grep-output.ts'
import { readExcerpt } from './read-excerpt.ts'
import { renderGrep, type ShownLine } from './render-grep.ts'
import { describeRoot, displayPath, findSearchRoot, type SearchRoot } from './search-root.ts'
import { describeSkipped, describeTimeout } from './walk-options.ts'

interface GrepArgs {
  pattern: string
  path?: string
  glob?: string
  context?: number
  case_insensitive?: boolean
  hidden?: boolean
  no_ignore?: boolean
  limit?: number
}

export function grepTool(ripgrep: Ripgrep, config: SearchConfig): ToolDefinition {
  return defineTool({
    name: 'grep',
    description:
      'Search file contents with a regular expression (ripgrep syntax). Results are sorted by path. Files that git ignores, hidden files and binary files are left out unless you name them as path or pass no_ignore or hidden.',
    parameters: {
      pattern: { type: 'string', required: true, description: 'Regular expression; escape literal braces, dots and parentheses.' },
      path: { type: 'string', description: 'File or directory to search. Default: the working directory.' },
      glob: { type: 'string', description: 'Only files that match, such as "*.ts" (at any depth) or "src/**/*.ts" (from path).' },
      context: { type: 'integer', minimum: 0, maximum: 50, description: 'Lines to show before and after each match.' },
      case_insensitive: { type: 'boolean' },
      hidden: { type: 'boolean', description: 'Also search hidden files and directories.' },
      no_ignore: { type: 'boolean', description: 'Also search what git ignores.' },
      limit: { type: 'integer', minimum: 1, description: `Most matching lines to return. Default ${config.defaultLimit}.` },
    },
    kind: 'search',
    concurrency: 'parallel',
    execute: (args, call) => grep(ripgrep, config, args, call),
    presentCall: ({ pattern, path, glob }) => ({
      card: 'generic',
      kind: 'search',
      title: `grep ${pattern}${path === undefined ? '' : ` in ${path}`}${glob === undefined ? '' : ` (${glob})`}`,
    }),
    presentResult: (_args, { content }) => ({ card: 'generic', content }),
  })
}

async function grep(ripgrep: Ripgrep, config: SearchConfig, args: GrepArgs, call: ToolCall): Promise<ToolReturn> {
  const root = await findSearchRoot(args.path, call.cwd)
  const request: GrepRequest = {
    pattern: args.pattern,
    glob: args.glob,
    hidden: args.hidden,
    no_ignore: args.no_ignore,
    context: args.context ?? 0,
    caseInsensitive: args.case_insensitive ?? false,
    limit: Math.min(args.limit ?? config.defaultLimit, config.maxLimit),
    maxLineBytes: config.maxLineBytes,
    maxReadBytes: config.maxReadBytes,
    signal: call.signal,
  }
  const found = await grepSearch(ripgrep, root, request)
  const lines: ShownLine[] = []
  for (const line of found.lines) {
    call.signal.throwIfAborted()
    lines.push(await showLine(line, found.directory, call.cwd, config.maxLineBytes))
  }
  const view = { lines, matches: found.matches, complete: found.ended === 'exited', empty: describeNothing(args, root, call.cwd), notes: notesOf(found, call.cwd, ripgrep.timeoutMs) }
  const { text: body, shown } = renderGrep(view, config.maxOutputLength)
  const isClipped = lines.some(({ before, after }) => before !== undefined || after !== undefined)
  return { content: [text(body)], meta: { matches: found.matches, shown, truncated: isClipped || shown < found.matches || found.ended !== 'exited' } }
}

function describeNothing({ pattern, glob }: GrepArgs, root: SearchRoot, cwd: string): string {
  return `No matches for ${JSON.stringify(pattern)} in ${describeRoot(root, cwd)}${glob === undefined ? '' : ` (${glob})`}.`
}

function notesOf({ binary, directory, matches, skipped, ended, notes }: GrepFound, cwd: string, timeoutMs: number): string[] {
  const named = binary.slice(0, 5).map(path => displayPath(join(directory, path), cwd)).join(', ')
  return [
    ...(binary.length > 0 ? [`${plural(binary.length, 'binary file')} with a match, not shown: ${named}${binary.length > 5 ? ', …' : ''}.`] : []),
    ...(ended === 'timeout' ? [describeTimeout(timeoutMs)] : []),
    ...(ended === 'stopped' && matches === 0 ? ['Stopped because too many lines match outside of the glob: name a path.'] : []),
    ...describeSkipped(skipped.map(path => displayPath(join(directory, path), cwd))),
    ...notes,
  ]
}

async function showLine(line: GrepLine, directory: string, cwd: string, maxLineBytes: number): Promise<ShownLine> {
  const path = displayPath(join(directory, line.path), cwd)
  const base = { path, line: line.line, isMatch: line.isMatch }
  if (line.text !== undefined) return { ...base, text: line.text }
  const excerpt = await readExcerpt(join(directory, line.path), { offset: line.offset, column: (line.column ?? 1) - 1, length: maxLineBytes })
  if (!excerpt) return { ...base, text: '[a line too long to show, in another encoding]' }
  return {
    ...base,
    text: excerpt.text,
    ...(excerpt.before > 0 && { before: `+${excerpt.before}` }),
    ...(excerpt.after > 0 && { after: `+${excerpt.after}${excerpt.open ? ' or more' : ''}` }),
    ...(line.isMatch && line.column === undefined && { isUnlocated: true }),
  }
}
