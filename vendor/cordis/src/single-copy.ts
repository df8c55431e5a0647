/** Finds a second copy of the framework in the process: its symbols are shared, so a duplicate would half work. */

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Context, Service } from '@deepseek-ai/cordis'
import { FrameworkError } from './framework-error.ts'

/** One key for every copy of this file, whatever package brought it. */
const KEY = Symbol.for('dsh.cordis.copy')

interface Copy {
  url: string
  Context: unknown
}

/**
 * Marks this copy as the one of the process.
 *
 * Throws `duplicate-framework` when a facade at another place, or one over
 * another `Context` class, has marked it before; the message names both files
 * and the package that owns each.
 */
export function claimSingleCopy(url: string = import.meta.url, context: unknown = Context): void {
  const shared = globalThis as Record<symbol, unknown>
  const first = shared[KEY] as Copy | undefined
  if (first === undefined) {
    shared[KEY] = { url, Context: context } satisfies Copy
    return
  }
  if (first.url === url && first.Context === context) return
  throw new FrameworkError('duplicate-framework', `two copies of cordis in one process: ${describe(first.url)} and ${describe(url)}`)
}

/**
 * Whether a plugin class extends the `Service` of another copy of the framework.
 *
 * Recognised by the static symbols that every copy of `Service` carries; a class
 * that extends nothing, or the host's own `Service`, is not foreign.
 */
export function isForeignService(plugin: unknown): boolean {
  for (let base = plugin; typeof base === 'function'; base = Object.getPrototypeOf(base)) {
    if (base === Service) return false
    if (Object.hasOwn(base, 'tracker') && (base as { tracker?: unknown }).tracker === Service.tracker) return true
  }
  return false
}

/** Name, version and path of the `package.json` that owns a file; undefined when there is none above it. */
export function findOwner(url: string): { name: string; version: string; path: string } | undefined {
  if (!url.startsWith('file:')) return undefined
  let folder = dirname(fileURLToPath(url))
  for (;;) {
    const path = join(folder, 'package.json')
    const manifest = readManifest(path)
    if (manifest?.name !== undefined) return { name: manifest.name, version: manifest.version ?? '?', path }
    const parent = dirname(folder)
    if (parent === folder) return undefined
    folder = parent
  }
}

function readManifest(path: string): { name?: string; version?: string } | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as { name?: string; version?: string }
  } catch (error) {
    // Absent in most folders on the way up; an unreadable one cannot name an owner either.
    if (error instanceof Error) return undefined
    throw error
  }
}

function describe(url: string): string {
  const owner = findOwner(url)
  const file = url.startsWith('file:') ? fileURLToPath(url) : url
  return owner === undefined ? file : `${file} (${owner.name} ${owner.version}, ${owner.path})`
}
