/** Fingerprints of everything in a project that trust is about: all of `.dsh/`, and the files elsewhere that its plugins load. */

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { TrustError } from './errors.ts'

/** SHA-256 in hex; null for a file that is named and not there. */
export type Digests = Readonly<Record<string, string | null>>

/** All of it is read at every start. */
export const MOST_FILES = 5000
export const MOST_BYTES = 64 * 1024 * 1024

/** The folder of a project that holds its settings. */
export const FOLDER = '.dsh'

/** In hex. */
export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The project's path without links, under which its trust is kept. */
export function realPathOf(path: string): string {
  return realpathSync.native(path)
}

/** How the record names a file: from the project, with slashes. */
export function nameOf(project: string, file: string): string {
  return relative(project, file).split(sep).join('/')
}

/**
 * Fingerprints `.dsh/` of `project`, which is without links, and the `named` files.
 * Links are followed, once each; what is no file or folder is passed over, and
 * can so never be trusted. Throws `TOO_MUCH`.
 */
export function fingerprint(project: string, named: Iterable<string>): Digests {
  const digests: Record<string, string | null> = {}
  let [files, bytes] = [0, 0]
  const add = (file: string): void => {
    const content = readIfThere(file)
    files++
    bytes += content?.length ?? 0
    digests[nameOf(project, file)] = content === undefined ? null : digestOf(content)
    if (bytes > MOST_BYTES || files > MOST_FILES) throw new TrustError('TOO_MUCH', `${join(project, FOLDER)} holds more than ${MOST_FILES} files or ${MOST_BYTES / 1024 / 1024} MiB, which is too much to be fingerprinted at every start`)
  }
  for (const file of filesBelow(join(project, FOLDER))) add(file)
  for (const file of named) if (!Object.hasOwn(digests, nameOf(project, file))) add(file)
  return Object.fromEntries(Object.entries(digests).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** Every file below a folder, through links, in no order; nothing where there is no folder. */
export function* filesBelow(folder: string, visited = new Set<string>()): Generator<string> {
  const real = realPathIfThere(folder)
  if (real === undefined || visited.has(real)) return
  visited.add(real)
  if (visited.size > MOST_FILES) throw new TrustError('TOO_MUCH', `${folder} is one of more than ${MOST_FILES} folders`)
  for (const { name } of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, name)
    const found = statSync(path, { throwIfNoEntry: false })
    if (found?.isDirectory()) yield* filesBelow(path, visited)
    // Links that lead nowhere count, too: what they lead to may come.
    else if (found === undefined || found.isFile()) yield path
  }
}

/** Undefined for what is not there. */
export function realPathIfThere(path: string): string | undefined {
  return ifThere(() => realPathOf(path))
}

/** Undefined for what is not there, or is no file. */
export function readIfThere(file: string): Buffer | undefined {
  return ifThere(() => (statSync(file).isFile() ? readFileSync(file) : undefined))
}

function ifThere<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return undefined
    throw error
  }
}
