/** Lists file names with ripgrep: `--files`, or the files that hold a match. */

import type { Ripgrep, RunOutcome } from './ripgrep.ts'

/** Narrows a listing. */
export interface NameFilter {
  /** Arguments that let ripgrep skip files early; may let more through than `matches`. */
  args: string[]
  /** `path` is relative to the root of the search, with forward slashes. */
  matches(path: string): boolean
}

export interface ListOptions {
  /** Absolute; the paths in the answer are relative to it. */
  directory: string
  /** Beside `--null`: what to list. */
  args: readonly string[]
  filter?: NameFilter | undefined
  /** More paths than this are not read. */
  most: number
  maxReadBytes: number
  timeoutMs?: number | undefined
  signal: AbortSignal
}

export interface FileList {
  paths: string[]
  outcome: RunOutcome
}

/** In ripgrep's own order, which is not stable: sort what you show. */
export async function listFiles(ripgrep: Ripgrep, { directory, args, filter, most, maxReadBytes, timeoutMs, signal }: ListOptions): Promise<FileList> {
  const paths: string[] = []
  let rest = ''
  let read = 0
  const decoder = new TextDecoder()
  const onOutput = (chunk: Buffer): boolean => {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\0')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const path = part.startsWith('./') ? part.slice(2) : part
      if (!filter || filter.matches(path)) paths.push(path)
    }
    read += chunk.length
    return paths.length < most && read < maxReadBytes
  }
  const outcome = await ripgrep.run(['--null', ...(filter?.args ?? []), ...args, '--', '.'], { cwd: directory, timeoutMs, signal, onOutput })
  return { paths: paths.slice(0, most), outcome }
}
