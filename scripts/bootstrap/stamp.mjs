/** Stamps: what a phase was last run on, kept beside its product, so that removing the product removes the stamp. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** One hash over the contents of files (a missing one counts as empty) and some extra words. */
export function hashContents(root, files, ...extra) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\0`).update(readOptional(join(root, file)) ?? '').update('\0')
  for (const word of extra) hash.update(`${word}\0`)
  return hash.digest('hex')
}

/**
 * One hash over name, size and modification time of everything the distribution is made from.
 * A listing, because reading some hundred sources on every start would cost more than it saves.
 */
export function hashSources(root, ...extra) {
  const hash = createHash('sha256')
  for (const folder of [...subfolders(join(root, 'packages'), 2), ...subfolders(join(root, 'vendor'), 1)]) {
    list(hash, join(folder, 'package.json'))
    listTree(hash, join(folder, 'src'))
  }
  listTree(hash, join(root, 'scripts/bundle'))
  for (const file of ['scripts/bundle.ts', 'cordis.yml', 'pnpm-lock.yaml']) list(hash, join(root, file))
  for (const word of [root, ...extra]) hash.update(`${word}\0`)
  return hash.digest('hex')
}

/** The folders at some depth below a folder, sorted; none when it does not exist. */
export function subfolders(folder, depth) {
  const children = entries(folder).filter(entry => entry.isDirectory()).map(entry => join(folder, entry.name))
  return depth === 1 ? children : children.flatMap(child => subfolders(child, depth - 1))
}

function listTree(hash, folder) {
  for (const entry of entries(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) listTree(hash, path)
    else list(hash, path)
  }
}

function list(hash, path) {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found) hash.update(`${path}\0${found.size}\0${found.mtimeMs}\0`)
}

function entries(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  }
}

/** The stamp in a file, or undefined. */
export function readStamp(file) {
  return readOptional(file)?.toString('utf8')
}

/** Writes a file in one step, so that a reader sees the old one or the new one. */
export function writeWhole(file, text, mode = 0o644) {
  mkdirSync(dirname(file), { recursive: true })
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, text, { mode })
  renameSync(temporary, file)
}

function readOptional(file) {
  try {
    return readFileSync(file)
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}
