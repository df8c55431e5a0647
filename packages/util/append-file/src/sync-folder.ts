/** Makes the entries of a folder durable: a new file is there after a power loss only when its folder says so. */

import { closeSync, fsync, openSync } from 'node:fs'

/** File systems that cannot make a folder durable say one of these; the files themselves are. */
const NO_FOLDER_SYNC: ReadonlySet<string> = new Set(['EINVAL', 'EPERM', 'EISDIR', 'ENOTSUP'])

/** Throws as the file system does. */
export async function syncFolder(path: string): Promise<void> {
  const fd = openSync(path, 'r')
  try {
    await settled(done => fsync(fd, done))
  } catch (error) {
    if (!NO_FOLDER_SYNC.has((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    closeSync(fd)
  }
}

/** What a call of the file system with a callback comes to. */
export function settled(work: (done: (error: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => work(error => (error ? reject(error) : resolve())))
}
