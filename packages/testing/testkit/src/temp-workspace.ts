/** A real folder of its own for one test. */

import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface Workspace extends AsyncDisposable {
  /** Absolute, without symbolic links. */
  readonly path: string
  /** The absolute path of a file in it. */
  resolve(file: string): string
  /** Creates folders on the way. */
  write(file: string, content: string | Uint8Array): Promise<string>
  read(file: string): Promise<string>
  dispose(): Promise<void>
}

/** Holds `files` (path to content) to begin with; is gone after `dispose`, or at the end of an `await using`. */
export async function tempWorkspace(files: Readonly<Record<string, string>> = {}): Promise<Workspace> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'dsh-test-')))
  const resolve = (file: string): string => join(path, file)
  const dispose = (): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 3 })
  const write = async (file: string, content: string | Uint8Array): Promise<string> => {
    await mkdir(dirname(resolve(file)), { recursive: true })
    await writeFile(resolve(file), content)
    return resolve(file)
  }
  for (const [file, content] of Object.entries(files)) await write(file, content)
  return { path, resolve, write, read: file => readFile(resolve(file), 'utf8'), dispose, [Symbol.asyncDispose]: dispose }
}
