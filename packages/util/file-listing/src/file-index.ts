/**
 * The files below a directory, kept for whoever completes names: the last
 * listing is answered at once, an old one is renewed behind it.
 */

import type { Ripgrep } from './ripgrep.ts'
import { listFiles } from './list-files.ts'
import { rankPaths, type RankedPath } from './rank-paths.ts'
import { walkArgs } from './walk-args.ts'

export interface FileIndexOptions {
  /** Absolute; all paths are relative to it. */
  directory: string
  ripgrep: Ripgrep
  /** More files than this are not listed. */
  most?: number
  /** A listing older than this is renewed when it is asked for. */
  maxAgeMs?: number
  now?(): number
}

/** More of ripgrep's output than this is not read: 100,000 long paths. */
const MOST_BYTES = 32 * 1024 * 1024

export class FileIndex implements Disposable {
  readonly #options: Required<FileIndexOptions>
  readonly #life = new AbortController()
  #paths: readonly string[] = []
  #listedAt: number | undefined
  #listing: Promise<void> | undefined
  /** Of a renewal that nobody waited for; told to the next who asks. */
  #failure: { error: unknown } | undefined

  constructor(options: FileIndexOptions) {
    this.#options = { most: 100_000, maxAgeMs: 5_000, now: () => performance.now(), ...options }
  }

  /**
   * The best `limit` of what `query` may mean, files and directories (with a
   * slash at their end); waits for the first listing only. It works in slices,
   * so that keys are handled meanwhile. Rejects with the signal's reason, and
   * with `NO_PROGRAM` or `SEARCH_FAILED` when there is no listing to answer from.
   */
  async search(query: string, limit: number, signal: AbortSignal): Promise<RankedPath[]> {
    const renewal = this.#renewed()
    if (this.#listedAt === undefined) await renewal
    else renewal?.catch((error: unknown) => (this.#failure = { error }))
    const failure = this.#failure
    this.#failure = undefined
    if (failure) throw failure.error
    signal.throwIfAborted()
    return await rankPaths(this.#paths, query, { limit, signal })
  }

  [Symbol.dispose](): void {
    this.#life.abort(new Error('the index was closed'))
  }

  /** The listing that is under way; undefined when the one there is is young enough. */
  #renewed(): Promise<void> | undefined {
    const { maxAgeMs, now } = this.#options
    if (this.#listing) return this.#listing
    if (this.#listedAt !== undefined && now() - this.#listedAt < maxAgeMs) return undefined
    this.#listing = this.#list().finally(() => {
      this.#listing = undefined
    })
    return this.#listing
  }

  async #list(): Promise<void> {
    const { directory, ripgrep, most, now } = this.#options
    const { paths } = await listFiles(ripgrep, { directory, args: ['--files', ...walkArgs({ hidden: true })], most, maxReadBytes: MOST_BYTES, signal: this.#life.signal })
    this.#paths = withDirectories(paths)
    this.#listedAt = now()
  }
}

/** Every directory stands before what is in it. */
function withDirectories(files: readonly string[]): string[] {
  const directories = new Set<string>()
  for (const file of files) {
    for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
      const directory = file.slice(0, end + 1)
      if (directories.has(directory)) break
      directories.add(directory)
    }
  }
  return [...directories, ...files].sort()
}
