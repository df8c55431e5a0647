/** Removes everything that set-up made. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { subfolders } from './stamp.mjs'

const PRODUCTS = ['dist', 'dist-pack', 'coverage', '.tools']

/** Leaves the sources alone; the next command sets everything up again. */
export function clean(root) {
  const folders = [root, ...subfolders(join(root, 'packages'), 2), ...subfolders(join(root, 'vendor'), 1)]
  const products = [...folders.map(folder => join(folder, 'node_modules')), ...PRODUCTS.map(name => join(root, name))]
  for (const product of products) rmSync(product, { recursive: true, force: true })
}
