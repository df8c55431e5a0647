/** Removes everything that set-up made. */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const PRODUCTS = ['dist', 'dist-pack', 'coverage', '.tools']

/** Leaves the sources alone; the next command sets everything up again. */
export function clean(root) {
  const members = ['vendor', ...children(root, 'packages')].flatMap(group => children(root, group))
  for (const folder of ['', ...members]) remove(root, join(folder, 'node_modules'))
  for (const product of PRODUCTS) remove(root, product)
}

function remove(root, path) {
  rmSync(join(root, path), { recursive: true, force: true })
}

function children(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).filter(entry => entry.isDirectory()).map(entry => join(folder, entry.name))
}
