/** The tool `glob`: finds files by name. */

import { isAbsolute, join } from 'node:path'
import { listFiles, walkArgs, type FileList, type Ripgrep, type Walk } from '@deepseek-ai/dsh-file-listing'
import { defineTool, text, type ToolCall, type ToolDefinition, type ToolReturn } from '@deepseek-ai/dsh-tools'
import type { SearchConfig } from './config.ts'
import { SearchError } from './errors.ts'
import { compileGlob } from './name-filter.ts'
import { readComplaints } from './read-complaints.ts'
import { renderPaths } from './render-paths.ts'
import { describeRoot, displayPath, findSearchRoot } from './search-root.ts'
import { describeFiltered, describeSkipped, describeTimeout } from './walk-options.ts'

interface GlobArgs extends Walk {
  pattern: string
  path?: string
  limit?: number
}

/** More files than this are not counted. */
const MOST_COUNTED = 200_000

export function globTool(ripgrep: Ripgrep, config: SearchConfig): ToolDefinition {
  return defineTool({
    name: 'glob',
    description:
      'Find files by name, sorted by path. When there are too many, a sample from all directories is shown with a count for each. Files that git ignores and hidden files are left out unless you pass no_ignore or hidden.',
    parameters: {
      pattern: { type: 'string', required: true, description: 'Glob such as "*.ts" (at any depth) or "src/**/*.{ts,tsx}" (from path).' },
      path: { type: 'string', description: 'Directory to search. Default: the working directory.' },
      hidden: { type: 'boolean', description: 'Also list hidden files.' },
      no_ignore: { type: 'boolean', description: 'Also list what git ignores.' },
      limit: { type: 'integer', minimum: 1, description: `Most paths to return. Default ${config.defaultLimit}.` },
    },
    kind: 'search',
    concurrency: 'parallel',
    execute: (args, call) => glob(ripgrep, config, args, call),
    presentCall: ({ pattern, path }) => ({ card: 'generic', kind: 'search', title: `glob ${pattern}${path === undefined ? '' : ` in ${path}`}` }),
    presentResult: (_args, { content }) => ({ card: 'generic', content }),
  })
}

async function glob(ripgrep: Ripgrep, config: SearchConfig, args: GlobArgs, call: ToolCall): Promise<ToolReturn> {
  const { pattern, path } = splitAbsolute(args)
  const root = await findSearchRoot(path, call.cwd)
  const filter = await compileGlob(pattern)
  if (root.kind === 'file') throw new SearchError('NOT_SEARCHABLE', `${path} is a file; glob looks for files below a directory`)
  const list = (walk: Walk): Promise<FileList> =>
    listFiles(ripgrep, { directory: root.path, args: ['--files', ...walkArgs(walk)], filter, most: MOST_COUNTED, maxReadBytes: config.maxReadBytes, signal: call.signal })

  const found = await list(args)
  const { skipped, failure } = readComplaints(found.outcome.stderr)
  if (found.paths.length === 0 && found.outcome.kind === 'exited' && failure !== '') throw new SearchError('SEARCH_FAILED', `ripgrep failed: ${failure}`)
  const notes = [
    ...(found.outcome.kind === 'stopped' && found.paths.length === 0 ? ['Stopped after too many other files: name a path.'] : []),
    ...(found.outcome.kind === 'timeout' ? [describeTimeout(ripgrep.timeoutMs)] : []),
    ...describeSkipped(skipped.map(each => displayPath(join(root.path, each), call.cwd))),
    ...(found.paths.length === 0 && found.outcome.kind === 'exited' ? await countFiltered(list, args) : []),
  ]
  const view = {
    paths: found.paths.map(each => displayPath(join(root.path, each), call.cwd)),
    limit: Math.min(args.limit ?? config.defaultLimit, config.maxLimit),
    complete: found.outcome.kind === 'exited',
    empty: `No files match ${JSON.stringify(args.pattern)} in ${describeRoot(root, call.cwd)}.`,
    notes,
  }
  const { text: body, shown } = renderPaths(view, config.maxOutputLength)
  return { content: [text(body)], meta: { files: view.paths.length, shown, truncated: shown < view.paths.length || !view.complete } }
}

async function countFiltered(list: (walk: Walk) => Promise<FileList>, args: GlobArgs): Promise<string[]> {
  if (args.hidden && args.no_ignore) return []
  const { paths, outcome } = await list({ hidden: true, no_ignore: true })
  return describeFiltered(paths, args, outcome.kind === 'exited')
}

/** Models also write absolute globs: what stands before the first wildcard is the directory. */
function splitAbsolute({ pattern, path }: GlobArgs): { pattern: string; path: string | undefined } {
  if (!isAbsolute(pattern)) return { pattern, path }
  const wildcard = pattern.search(/[*?[{]/)
  const end = pattern.lastIndexOf('/', wildcard < 0 ? pattern.length : wildcard)
  return { pattern: pattern.slice(end + 1), path: pattern.slice(0, end) || '/' }
}
