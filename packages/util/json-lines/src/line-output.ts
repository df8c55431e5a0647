/**
 * Lines on their way out, at the pace of whoever reads them.
 *
 * What waits is kept as it is (events of the log, which is in memory anyway)
 * and becomes text only when the stream takes more. Nothing is dropped while
 * there is a reader; `room` is where the work waits for a slow one.
 */

import { jsonLine } from './json-line.ts'

/** One line, before it is JSON. */
export type Line = Readonly<Record<string, unknown>> & { type: string }

/** What is handed over at once. */
const BATCH_LENGTH = 64 * 1024

/** So many lines may wait before the work is held up. */
const MOST_WAITING = 256

export class LineOutput {
  /** Aborted when the reader has gone. */
  readonly gone: AbortSignal
  readonly #stream: NodeJS.WritableStream
  readonly #gone = new AbortController()
  #queue: Line[] = []
  #isScheduled = false
  #isBlocked = false
  #written = 0
  #waiters: (() => void)[] = []
  #last: string | undefined
  #failure: Error | undefined

  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream
    this.gone = this.#gone.signal
    stream.once('error', (error: NodeJS.ErrnoException) => this.#leave(error.code === 'EPIPE' ? undefined : error))
    stream.once('close', () => this.#leave())
  }

  /** Why nothing can be written any more; absent when the reader has merely gone. */
  get failure(): Error | undefined {
    return this.#failure
  }

  /** The type of the line that was pushed last. */
  get last(): string | undefined {
    return this.#last
  }

  /** Never throws; after the reader has gone, nothing happens. */
  push(line: Line): void {
    if (this.gone.aborted) return
    this.#last = line.type
    this.#queue.push(line)
    if (this.#isScheduled || this.#isBlocked) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#pump()
    })
  }

  /** Whether the reader is behind. */
  get isFull(): boolean {
    return this.#isBlocked && this.#queue.length > MOST_WAITING
  }

  /** Resolves when more can be taken in, or the reader has gone; rejects with the signal's reason. */
  async room(signal: AbortSignal): Promise<void> {
    while (this.isFull) {
      signal.throwIfAborted()
      await this.#change(signal)
    }
  }

  /** Resolves when everything is handed over, or the reader has gone. */
  async flushed(): Promise<void> {
    while (!this.gone.aborted && (this.#queue.length > 0 || this.#isBlocked)) await this.#change()
    if (this.gone.aborted) return
    await new Promise<void>(resolve => {
      this.gone.addEventListener('abort', () => resolve(), { once: true })
      this.#stream.write('', () => resolve())
    })
  }

  #pump(): void {
    while (this.#queue.length > this.#written && !this.#isBlocked && !this.gone.aborted) this.#isBlocked = !this.#stream.write(this.#nextBatch())
    this.#queue.splice(0, this.#written)
    this.#written = 0
    if (this.#isBlocked) this.#stream.once('drain', () => this.#resume())
    this.#announce()
  }

  #nextBatch(): string {
    let batch = ''
    while (batch.length < BATCH_LENGTH && this.#written < this.#queue.length) batch += jsonLine(this.#queue[this.#written++])
    return batch
  }

  #resume(): void {
    this.#isBlocked = false
    this.#pump()
  }

  #leave(failure?: Error): void {
    this.#failure ??= failure
    this.#queue = []
    this.#written = 0
    this.#gone.abort(new Error('the reader has gone'))
    this.#announce()
  }

  #change(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => reject(signal?.reason)
      signal?.addEventListener('abort', onAbort, { once: true })
      this.#waiters.push(() => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      })
    })
  }

  #announce(): void {
    for (const resolve of this.#waiters.splice(0)) resolve()
  }
}
