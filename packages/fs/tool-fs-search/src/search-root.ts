/** Where a search starts: the path that the model named, looked at before ripgrep gets it. */

import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { describeError } from '@deepseek-ai/dsh-errors'
import { SearchError } from './errors.ts'

export interface SearchRoot {
  /** Absolute. */
  path: string
  kind: 'file' | 'directory'
  /** Whether the model named it; such a path is searched whatever the ignore rules say. */
  explicit: boolean
}

/**
 * The directory `cwd`, or `named` below it. Pipes, sockets and devices are
 * refused as `NOT_SEARCHABLE`: reading one may never end.
 */
export async function findSearchRoot(named: string | undefined, cwd: string): Promise<SearchRoot> {
  const path = resolve(cwd, expandHome(named ?? '.'))
  const found = await stat(path).catch((error: unknown) => {
    throw new SearchError('NOT_FOUND', `cannot search ${named ?? path}: ${describeError(error)}`, { cause: error })
  })
  if (!found.isFile() && !found.isDirectory()) {
    const what = found.isFIFO() ? 'a named pipe' : found.isSocket() ? 'a socket' : 'a device'
    throw new SearchError('NOT_SEARCHABLE', `cannot search ${named ?? path}: it is ${what}, not a file or a directory`)
  }
  return { path, kind: found.isFile() ? 'file' : 'directory', explicit: path !== resolve(cwd) }
}

function expandHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path
}

/** How a sentence names the root. */
export function describeRoot({ path }: SearchRoot, cwd: string): string {
  const shown = displayPath(path, cwd)
  return shown === '.' ? 'the working directory' : shown
}

/** How results name a path: relative to `cwd` below it, else absolute; always with forward slashes. */
export function displayPath(path: string, cwd: string): string {
  const below = relative(cwd, resolve(cwd, path))
  const shown = below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below) ? resolve(cwd, path) : below || '.'
  return sep === '/' ? shown : shown.replaceAll(sep, '/')
}
