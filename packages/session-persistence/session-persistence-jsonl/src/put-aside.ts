/** Keeps what could not be used of a log, before it is cut off: nothing is ever thrown away. */

import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '@deepseek-ai/dsh-append-file'
import type { SessionId } from '@deepseek-ai/dsh-session'

/** More side files than this are not counted through. */
const MOST = 1000

/** The path of the side file, which is durable when this resolves. */
export async function putAside(folder: string, id: SessionId, bytes: Uint8Array): Promise<string> {
  for (let n = 1; n <= MOST; n++) {
    const path = join(folder, `${id}.damaged-${n}.jsonl`)
    try {
      const handle = await open(path, 'wx', 0o600)
      try {
        await handle.writeFile(bytes)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await syncFolder(folder)
      return path
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  throw new Error(`${folder} holds ${MOST} side files of session ${id}; move some away`)
}
