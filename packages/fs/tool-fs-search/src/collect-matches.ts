/** Gathers what one grep prints, up to its limits. Pure: output in, lines out. */

import { GrepParser, type GrepLine } from './parse-grep-output.ts'

/** After the limit matches are only counted, and only so far. */
const MOST_COUNTED = 10_000

export interface CollectOptions {
  /** Matching lines to keep. */
  limit: number
  /** Lines around each match that ripgrep was asked for. */
  context: number
  maxReadBytes: number
  /** Which files count. */
  accepts(path: string): boolean
}

export class MatchCollector {
  /** Matches and their context, in ripgrep's order; paths are relative to the root of the search. */
  readonly lines: GrepLine[] = []
  /** Binary files with a match, which is not shown. */
  readonly binary: string[] = []
  /** All matching lines that were seen, kept or not. */
  matches = 0
  readonly #options: CollectOptions
  readonly #parser = new GrepParser()
  #read = 0
  #last: GrepLine | undefined

  constructor(options: CollectOptions) {
    this.#options = options
  }

  /** False when enough has been seen. */
  push(chunk: Buffer): boolean {
    for (const record of this.#parser.push(chunk)) {
      const path = withoutDot(record.kind === 'line' ? record.line.path : record.path)
      if (!this.#options.accepts(path)) continue
      if (record.kind === 'binary') this.binary.push(path)
      else this.#add({ ...record.line, path })
    }
    this.#read += chunk.length
    return this.matches < Math.max(MOST_COUNTED, this.#options.limit + 1) && this.#read < this.#options.maxReadBytes
  }

  #add(line: GrepLine): void {
    const full = this.matches >= this.#options.limit
    if (line.isMatch) this.matches++
    if (!full) {
      this.lines.push(line)
      if (line.isMatch) this.#last = line
    } else if (!line.isMatch && this.#follows(line)) {
      this.lines.push(line)
    }
  }

  /** Whether it is the context behind the last match that was kept, not before the first that was not. */
  #follows({ path, line }: GrepLine): boolean {
    const last = this.#last
    const only = this.matches === this.#options.limit
    return only && last !== undefined && last.path === path && line > last.line && line <= last.line + this.#options.context
  }
}

/** ripgrep repeats the `.` that it was told to search. */
function withoutDot(path: string): string {
  return path.startsWith('./') ? path.slice(2) : path
}
