/** Resolves the directory that a command runs in, and finds a living one when it is gone. */

import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, resolve } from 'node:path'

/** Absolute form of `path`, which may start with `~`; relative paths start at `base`. */
export function resolveWorkdir(base: string, path: string): string {
  const expanded = path === '~' || path.startsWith('~/') ? homedir() + path.slice(1) : path
  return resolve(base, expanded)
}

/** Where this process stands; the user's home when that directory was deleted, which Node reports by throwing. */
export function currentDirectory(): string {
  try {
    return process.cwd()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return homedir()
  }
}

export function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false // missing, below a file, or not for us: no place to run in
  }
}

/** The directory itself, or the nearest one above it that exists. */
export function nearestDirectory(path: string): string {
  let current = path
  while (!isDirectory(current) && dirname(current) !== current) current = dirname(current)
  return current
}
