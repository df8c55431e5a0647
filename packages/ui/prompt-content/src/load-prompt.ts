/**
 * What the model gets of a message: the text as it was typed, the images, and
 * behind them the files that it names with `@`.
 *
 *     <file path="src/a.ts" lines="10-40">
 *     10: …
 *     </file>
 *
 * What cannot be read, is no text, or does not exist stays a word of the
 * message: the model may look for it itself.
 */

import { FsError, numberLine, type FileSystem, type FsLines, type FsTarget } from '@deepseek-ai/dsh-fs'
import type { ContentBlock, ImageBlock } from '@deepseek-ai/dsh-llm'
import { clipEnd } from '@deepseek-ai/dsh-text'
import { describeError } from '@deepseek-ai/dsh-errors'
import { droppedImagePath, namesImage } from './image-kind.ts'
import { parseMentions, withoutPunctuation, type Mention } from './parse-mentions.ts'
import { readImageFile } from './read-image.ts'

export interface LoadOptions {
  /** Absent: no file system is mounted, and nothing is attached. */
  fs: FileSystem | undefined
  /** Absolute. */
  cwd: string
  /** Put in while the message was written. */
  images: readonly ImageBlock[]
  /** Called for each file that was attached, so that it counts as read. */
  onRead(target: FsTarget, found: FsLines): void
  signal: AbortSignal
}

export interface LoadedPrompt {
  content: ContentBlock[]
  /** Sentences for the user: what was left out, and why. */
  notes: string[]
}

const MOST_FILES = 20
const MOST_LINES = 2_000
const MOST_FILE_BYTES = 100_000
const MOST_ALL_BYTES = 400_000
const MOST_LINE = 2_000
const MOST_ENTRIES = 200

/** Rejects with the signal's reason only. */
export async function loadPrompt(text: string, options: LoadOptions): Promise<LoadedPrompt> {
  const loader = new Loader(options)
  const dropped = droppedImagePath(text)
  if (dropped !== undefined) await loader.image(dropped)
  for (const mention of parseMentions(text)) await loader.attach(mention)
  return { content: [{ type: 'text', text }, ...options.images, ...loader.blocks], notes: loader.notes }
}

class Loader {
  readonly blocks: ContentBlock[] = []
  readonly notes: string[] = []
  readonly #options: LoadOptions
  #files = 0
  #bytes = 0

  constructor(options: LoadOptions) {
    this.#options = options
  }

  async image(path: string): Promise<boolean> {
    const { cwd, signal } = this.#options
    try {
      this.blocks.push(await readImageFile(path, cwd, signal))
      return true
    } catch (error) {
      signal.throwIfAborted()
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.notes.push(`${path} is not attached: ${describeError(error)}`)
      return false
    }
  }

  async attach({ path, range }: Mention): Promise<void> {
    const { fs, cwd, signal } = this.#options
    for (const each of withoutPunctuation(path)) {
      if (namesImage(each) && (await this.image(each))) return
      if (!fs) return
      try {
        const target = await fs.resolve(each, { cwd, signal })
        const { type } = await fs.stat(target, signal)
        return await (type === 'directory' ? this.#directory(fs, target) : this.#file(fs, target, range))
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof FsError && error.code === 'FS_NOT_FOUND') continue
        this.notes.push(`@${each} is not attached: ${describeError(error)}`)
        return
      }
    }
  }

  async #file(fs: FileSystem, target: FsTarget, range: Mention['range']): Promise<void> {
    const left = this.#room(target)
    if (left === 0) return
    const window = { offset: range?.from ?? 1, limit: range ? Math.min(MOST_LINES, range.to - range.from + 1) : MOST_LINES, maxBytes: Math.min(MOST_FILE_BYTES, left), maxLineLength: MOST_LINE }
    const found = await fs.readLines(target, window, this.#options.signal)
    const lines = found.lines.map(({ number, text, cut }) => numberLine(number, cut ? `${text}… (${cut} more characters of this line not shown)` : text))
    const last = found.lines.at(-1)?.number
    const wantsMore = found.more && (range === undefined || (last !== undefined && last < range.to))
    const note = wantsMore ? [`(There is more: read on from line ${(last ?? 0) + 1}.)`] : []
    const shown = range || wantsMore ? ` lines="${found.lines[0]?.number ?? 0}-${last ?? 0}"` : ''
    this.#add(`<file path="${target.displayPath}"${shown}>\n${[...lines, ...note].join('\n')}\n</file>`)
    this.#options.onRead(target, found)
  }

  async #directory(fs: FileSystem, target: FsTarget): Promise<void> {
    if (this.#room(target) === 0) return
    const { entries, truncated } = await fs.listDir(target, this.#options.signal)
    const names = entries.slice(0, MOST_ENTRIES).map(({ name, type }) => (type === 'directory' ? `${name}/` : name))
    const rest = truncated || entries.length > MOST_ENTRIES ? ['(There are more.)'] : []
    this.#add(`<directory path="${target.displayPath}">\n${clipEnd([...names, ...rest].join('\n'), MOST_FILE_BYTES)}\n</directory>`)
  }

  #room({ displayPath }: FsTarget): number {
    const left = this.#files >= MOST_FILES ? 0 : Math.max(0, MOST_ALL_BYTES - this.#bytes)
    if (left === 0) this.notes.push(`@${displayPath} is not attached: a message takes ${MOST_FILES} files of ${MOST_ALL_BYTES / 1000} KB together`)
    return left
  }

  #add(text: string): void {
    this.#files++
    this.#bytes += Buffer.byteLength(text)
    this.blocks.push({ type: 'text', text })
  }
}
