/**
 * What a user has typed before, kept for the next time and shared by all running processes.
 *
 *     history.jsonl   one line for each message, oldest first, mode 0600
 *     {"text":"fix the build","at":1760000000000}
 *
 * A line is appended in one write. The file is cut to its newest entries now
 * and then: the cut copy takes its name, and whoever appended to the old file
 * meanwhile sees that and appends again. Lines that cannot be read are skipped.
 */

import { open, mkdir, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { jsonLine } from '@deepseek-ai/dsh-json-lines'
import { readEntries, type StoredEntry } from './read-entries.ts'

export interface PromptHistoryOptions {
  /** The file; its folder is made when first needed. Absent: nothing is kept beyond this process. */
  path?: string
  /** Entries that are kept. */
  most?: number
  /** A file beyond this is cut to its newest half; of one that somebody else made huge, the end is read. */
  mostBytes?: number
  /** Longer messages are remembered by this process only, in UTF-16 units. */
  longest?: number
  /** How long a message waits before it is stored, so that this holds up nothing that is done with it meanwhile. In milliseconds; default 0. */
  waitMs?: number
  now?(): number
}

export class PromptHistory {
  readonly #options: Required<Omit<PromptHistoryOptions, 'path'>>
  readonly #path: string | undefined
  /** Of the file, oldest first. */
  #stored: StoredEntry[] = []
  /** Of this process and not in the file (yet). */
  #own: StoredEntry[] = []
  #seen = ''
  #work: Promise<void> = Promise.resolve()
  readonly #hurry = Promise.withResolvers<void>()

  constructor({ path, ...options }: PromptHistoryOptions = {}) {
    this.#path = path
    this.#options = { most: 1_000, mostBytes: 8 * 1024 * 1024, longest: 512 * 1024, waitMs: 0, now: Date.now, ...options }
  }

  /** What was typed, newest first, each text once. */
  get entries(): string[] {
    const all = [...this.#stored, ...this.#own].reverse().sort((a, b) => b.at - a.at)
    return [...new Set(all.map(({ text }) => text))].slice(0, this.#options.most)
  }

  /** Looks for what other processes have added. Rejects as the file system does; a missing file is an empty one. */
  async load(): Promise<void> {
    await this.#queue(() => this.#read())
  }

  /**
   * Remembers a message at once and stores it; resolves when it is stored.
   * What begins with a blank, or is empty, is not remembered. Rejects as the
   * file system does; the message is remembered by this process then.
   */
  async add(text: string): Promise<void> {
    if (text.trim() === '' || /^\s/.test(text) || this.entries[0] === text) return
    const entry = { text, at: this.#options.now() }
    this.#own.push(entry)
    this.#own = this.#own.slice(-this.#options.most)
    if (this.#path === undefined || text.length > this.#options.longest) return
    const path = this.#path
    await this.#queue(async () => {
      await this.#pause()
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await append(path, jsonLine(entry))
      this.#own = this.#own.filter(each => each !== entry)
      this.#stored.push(entry)
      const size = (await statOrNothing(path))?.size ?? 0
      if (this.#stored.length > 2 * this.#options.most || size > this.#options.mostBytes) await this.#cut(path)
    })
  }

  /** Nothing waits any more; resolves when everything is stored that can be. */
  async flush(): Promise<void> {
    this.#hurry.resolve()
    await Promise.allSettled([this.#work])
  }

  async #pause(): Promise<void> {
    const { waitMs } = this.#options
    if (waitMs === 0) return
    const over = new AbortController()
    await Promise.race([this.#hurry.promise, sleep(waitMs, undefined, { signal: over.signal }).catch(nothing)])
    over.abort()
  }

  /** Remembers a message in this process alone, as one that was thrown away. */
  remember(text: string): void {
    if (text.trim() !== '' && this.entries[0] !== text) this.#own.push({ text, at: this.#options.now() })
  }

  /** One after the other; a failure does not stop the next. */
  async #queue(work: () => Promise<void>): Promise<void> {
    const before = this.#work
    this.#work = (async () => {
      await Promise.allSettled([before])
      await work()
    })()
    await this.#work
  }

  async #read(): Promise<void> {
    if (this.#path === undefined) return
    const found = await statOrNothing(this.#path)
    const seen = found ? `${found.ino} ${found.size} ${found.mtimeMs}` : ''
    if (!found || seen === this.#seen) return
    await using file = await open(this.#path, 'r')
    this.#stored = readEntries(await readFrom(file, Math.max(0, found.size - this.#options.mostBytes)))
    this.#seen = seen
  }

  /** The newest entries under the same name. What others append to the old file while this goes on is carried over. */
  async #cut(path: string): Promise<void> {
    const next = `${path}.${randomUUID()}`
    await using old = await open(path, 'r')
    const { size } = await old.stat()
    const { most, mostBytes } = this.#options
    const kept = readEntries(await readFrom(old, Math.max(0, size - mostBytes / 2))).slice(-most)
    try {
      await using file = await open(next, 'wx', 0o600)
      await file.writeFile(kept.map(entry => jsonLine(entry)).join(''))
      await rename(next, path)
    } catch (error) {
      await rm(next, { force: true })
      throw error
    }
    const late = await readFrom(old, size)
    if (late !== '') await append(path, late)
    this.#stored = [...kept, ...readEntries(late)]
  }
}

/** In one write, to the file that has the name when it is done. */
async function append(path: string, lines: string): Promise<void> {
  await using file = await open(path, 'a', 0o600)
  // A line that a crash left without its end must not swallow this one.
  const { size, ino } = await file.stat()
  await file.write(size > 0 && !(await endsWithLine(path, size)) ? `\n${lines}` : lines)
  const now = await statOrNothing(path)
  if (now?.ino !== ino) await append(path, lines)
}

async function endsWithLine(path: string, size: number): Promise<boolean> {
  await using file = await open(path, 'r')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
  return bytesRead === 0 || buffer[0] === 10
}

async function readFrom(file: FileHandle, from: number): Promise<string> {
  const { size } = await file.stat()
  const buffer = Buffer.alloc(Math.max(0, size - from))
  const { bytesRead } = await file.read(buffer, 0, buffer.length, from)
  return buffer.toString('utf8', 0, bytesRead)
}

async function statOrNothing(path: string): Promise<{ ino: number; size: number; mtimeMs: number } | undefined> {
  try {
    return await stat(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function nothing(): void {
  // The pause was cut short.
}
