/** Finds out which file a path means: links followed, missing parts kept, and look-alike names when nothing has the exact one. */

import { readdir, readlink, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { FsError, type FsTarget, type ResolveOptions } from '@deepseek-ai/dsh-fs'
import { nearest } from '@deepseek-ai/dsh-text'
import { codeOf, toFsError } from './io-error.ts'

/** As many links in a row as Linux follows. */
const MOST_LINKS = 40
/** Names of one directory that are compared. */
const MOST_NAMES = 20_000

export async function resolveTarget(path: string, { cwd, lookalike, signal }: ResolveOptions): Promise<FsTarget> {
  signal.throwIfAborted()
  if (path === '') throw new FsError('FS_INVALID_PATH', 'the path is empty')
  if (path.includes('\0')) throw new FsError('FS_INVALID_PATH', 'the path holds a NUL character')
  const named = resolve(cwd, expandHome(path))
  try {
    const real = await realOrUndefined(named)
    if (real !== undefined) return target(path, named, { cwd, real })
    const found = lookalike ? await findLookalike(named) : undefined
    signal.throwIfAborted()
    if (found !== undefined && found !== named) return { ...target(path, found, { cwd, real: await realpath(found) }), lookalike: true }
    return target(path, named, { cwd, real: await realOfMissing(named, MOST_LINKS) })
  } catch (error) {
    throw toFsError(error, display(named, cwd))
  }
}

function expandHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path
}

function target(inputPath: string, named: string, { cwd, real }: { cwd: string; real: string }): FsTarget {
  return { inputPath, targetKey: real, displayPath: display(named, cwd) }
}

function display(path: string, cwd: string): string {
  const inside = relative(cwd, path)
  return inside === '' ? '.' : inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? path : inside
}

/** Undefined when nothing is there. A dangling link is nothing, too. */
async function realOrUndefined(path: string): Promise<string | undefined> {
  try {
    return await realpath(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** The real path of the nearest parent that exists, with the rest behind it; a dangling link leads to where it points. */
async function realOfMissing(path: string, linksLeft: number): Promise<string> {
  const parent = dirname(path)
  const realParent = parent === path ? path : ((await realOrUndefined(parent)) ?? (await realOfMissing(parent, linksLeft)))
  const here = join(realParent, basename(path))
  const link = await linkOrUndefined(here)
  if (link === undefined) return here
  if (linksLeft === 0) throw new FsError('FS_IO_ERROR', `${path} is a chain of too many symbolic links`)
  const next = resolve(realParent, link)
  return (await realOrUndefined(next)) ?? (await realOfMissing(next, linksLeft - 1))
}

async function linkOrUndefined(path: string): Promise<string | undefined> {
  try {
    return await readlink(path)
  } catch (error) {
    if (codeOf(error) === 'EINVAL' || codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Walks down from the nearest directory that exists, taking for each missing name the only one that looks like it. Undefined when a name has none. */
async function findLookalike(path: string): Promise<string | undefined> {
  const missing: string[] = []
  let at = path
  while ((await realOrUndefined(at)) === undefined && dirname(at) !== at) {
    missing.unshift(basename(at))
    at = dirname(at)
  }
  for (const name of missing) {
    const found = await lookalikeIn(at, name)
    if (found === undefined) return undefined
    at = join(at, found)
  }
  return (await realOrUndefined(at)) === undefined ? undefined : at
}

async function lookalikeIn(directory: string, name: string): Promise<string | undefined> {
  const names = (await readdir(directory)).slice(0, MOST_NAMES)
  if (names.includes(name)) return name
  const folded = foldName(name)
  const found = names.filter(each => foldName(each) === folded).sort()
  if (found.length < 2) return found[0]
  throw new FsError('FS_AMBIGUOUS_PATH', `no file is named exactly ${JSON.stringify(name)}, and ${found.length} look like it: ${found.map(escapeName).join(', ')}`)
}

/** The same for names that a person would read, or a keyboard would type, as the same. */
function foldName(name: string): string {
  return name.normalize('NFC').replace(/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g, ' ').replace(/[\u2018\u2019\u02bc]/g, "'").replace(/[\u201c\u201d]/g, '"').replace(/[\u2010-\u2015]/g, '-')
}

/** With the characters that make the difference written as `\u….`. */
function escapeName(name: string): string {
  return JSON.stringify(name).replace(/[^\u0020-\u007e]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The name in the directory of a missing file that it was probably meant to be. */
export async function suggestName(path: string): Promise<string | undefined> {
  try {
    return nearest(basename(path), (await readdir(dirname(path))).slice(0, MOST_NAMES))
  } catch (error) {
    if (codeOf(error) !== undefined) return undefined
    throw error
  }
}
