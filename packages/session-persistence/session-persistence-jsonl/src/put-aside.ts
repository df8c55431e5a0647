/** Keeps what could not be used of a log, before it is cut off: nothing is ever thrown away. */

import { lstatSync, renameSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '@deepseek-ai/dsh-append-file'
import type { SessionId } from '@deepseek-ai/dsh-session'

/** More side files than this are not counted through. */
const MOST = 1000

/** The path of the side file, which is durable when this resolves. */
export async function putAside(folder: string, id: SessionId, bytes: Uint8Array): Promise<string> {
  for (const path of sideFiles(folder, id)) {
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
  throw tooMany(folder, id)
}

/** The same for what cannot be read, and so only be given another name. */
export function moveAside(folder: string, id: SessionId, from: string): string {
  for (const path of sideFiles(folder, id)) {
    if (lstatSync(path, { throwIfNoEntry: false })) continue
    renameSync(from, path)
    return path
  }
  throw tooMany(folder, id)
}

function* sideFiles(folder: string, id: SessionId): Iterable<string> {
  for (let n = 1; n <= MOST; n++) yield join(folder, `${id}.damaged-${n}.jsonl`)
}

function tooMany(folder: string, id: SessionId): Error {
  return new Error(`${folder} holds ${MOST} side files of session ${id}; move some away`)
}
