/** Finds the command files below a folder. */

import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

/** More are not read: it is a folder of something else. */
const MOST_FILES = 200

export interface FoundFile {
  /** The name of the command: `folder:file`, lower case. */
  name: string
  path: string
}

/** Markdown files whose names can be typed after a slash, accents and other signs left out, sorted by name; none when the folder is not there. Links are not followed, so that no file from elsewhere becomes a command. */
export async function findCommandFiles(folder: string): Promise<FoundFile[]> {
  let entries
  try {
    entries = await readdir(folder, { recursive: true, withFileTypes: true })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
  return entries
    .filter(entry => entry.isFile() && /\.md$/i.test(entry.name))
    .slice(0, MOST_FILES)
    .map(entry => ({ path: join(entry.parentPath, entry.name), name: nameOf(relative(folder, join(entry.parentPath, entry.name))) }))
    .filter(({ name }) => /^[a-z0-9]/.test(name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function nameOf(path: string): string {
  return path.replace(/\.md$/i, '').split(sep).join(':').toLowerCase().normalize('NFD').replace(/\p{M}+/gu, '').replace(/[^a-z0-9:_-]+/g, '-').replace(/(^|:)-+|-+(?=:|$)/g, '$1')
}
