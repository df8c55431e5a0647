/** The tools that take paths, and which rules speak of which of them. */

export interface FileTool {
  /** The argument that names the path. */
  argument: string
  /** What stands for it when it is left out. */
  fallback?: string
  /** Whether the path is searched with everything below it. */
  searches?: true
  /** Whether it changes the file. */
  changes?: true
  /** Tools whose ask and deny rules with a pattern hold here, too: nobody who locks a file away thinks of every way to it. */
  kin: readonly string[]
}

export const FILE_TOOLS: ReadonlyMap<string, FileTool> = new Map<string, FileTool>([
  ['read', { argument: 'file_path', kin: ['read'] }],
  ['grep', { argument: 'path', fallback: '.', searches: true, kin: ['read', 'grep'] }],
  ['glob', { argument: 'path', fallback: '.', searches: true, kin: ['read', 'glob'] }],
  ['edit', { argument: 'file_path', changes: true, kin: ['edit', 'write'] }],
  ['write', { argument: 'file_path', changes: true, kin: ['edit', 'write'] }],
])

/** The path that a call names. An absolute glob names one in its pattern. */
export function pathOf(tool: string, args: Readonly<Record<string, unknown>>): string | undefined {
  const known = FILE_TOOLS.get(tool)
  const named = known && (args[known.argument] ?? known.fallback)
  if (tool === 'glob' && typeof args['pattern'] === 'string' && args['pattern'].startsWith('/')) return directoryOf(args['pattern'])
  return typeof named === 'string' ? named : undefined
}

/** What stands before the first wildcard. */
function directoryOf(pattern: string): string {
  const wildcard = pattern.search(/[*?[{]/)
  return pattern.slice(0, pattern.lastIndexOf('/', wildcard < 0 ? pattern.length : wildcard)) || '/'
}
