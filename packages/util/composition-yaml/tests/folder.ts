/** A temporary folder of files for one test, gone when the test is. */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, sep } from 'node:path'
import { onTestFinished } from 'vitest'

/** Writes `files` and answers a function from a name to its absolute path, and from '' to the folder with its separator. */
export async function folder(files: Record<string, string>): Promise<(name: string) => string> {
  const root = await mkdtemp(join(tmpdir(), 'dsh-composition-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), text)
  }
  return name => (name === '' ? root + sep : join(root, name))
}
