/** Turns pushed chunks into an async iterator without a generator: one settled promise per chunk, none per hop. */

import type { StreamChunk } from '@deepseek-ai/dsh-llm'

type Result = IteratorResult<StreamChunk, undefined>

/** More chunks than this waiting, and the producer is told to pause; fewer than the low mark, to go on. */
const HIGH = 4096
const LOW = 512

/** What the queue tells its producer. None of them may throw. */
export interface QueueHooks {
  /** Called once, when the first chunk is asked for. */
  start(): void
  /** The consumer left early: release everything. */
  cancel(): void
  pause(): void
  resume(): void
}

/** One consumer. Chunks come out in order; then the end, or the failure. */
export class ChunkQueue implements AsyncIterableIterator<StreamChunk, undefined> {
  private readonly hooks: QueueHooks
  private chunks: StreamChunk[] = []
  private head = 0
  private waiting: PromiseWithResolvers<Result> | undefined
  private over = false
  private failure: { error: unknown } | undefined
  private started = false
  private paused = false

  constructor(hooks: QueueHooks) {
    this.hooks = hooks
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  push(chunk: StreamChunk): void {
    if (this.over) return
    const { waiting } = this
    if (waiting) {
      this.waiting = undefined
      waiting.resolve({ value: chunk, done: false })
      return
    }
    this.chunks.push(chunk)
    if (!this.paused && this.chunks.length - this.head > HIGH) {
      this.paused = true
      this.hooks.pause()
    }
  }

  /** No more chunks. Later calls of anything but `next` do nothing. */
  end(): void {
    if (this.over) return
    this.over = true
    this.waiting?.resolve({ value: undefined, done: true })
  }

  /** Fails after what is queued; `now` drops what is queued. */
  fail(error: unknown, now = false): void {
    if (this.over) return
    this.over = true
    if (now) this.clear()
    if (this.waiting) this.waiting.reject(error)
    else this.failure = { error }
  }

  next(): Promise<Result> {
    if (!this.started) {
      this.started = true
      this.hooks.start()
    }
    const chunk = this.chunks[this.head]
    if (chunk !== undefined) return this.take(chunk)
    if (this.failure) {
      const { error } = this.failure
      this.failure = undefined
      return Promise.reject(error)
    }
    if (this.over) return Promise.resolve({ value: undefined, done: true })
    this.waiting = Promise.withResolvers<Result>()
    return this.waiting.promise
  }

  return(): Promise<Result> {
    this.clear()
    this.failure = undefined
    if (!this.over) {
      this.end()
      this.hooks.cancel()
    }
    return Promise.resolve({ value: undefined, done: true })
  }

  private take(chunk: StreamChunk): Promise<Result> {
    this.head++
    const left = this.chunks.length - this.head
    if (left === 0) this.clear()
    if (this.paused && left < LOW) {
      this.paused = false
      this.hooks.resume()
    }
    return Promise.resolve({ value: chunk, done: false })
  }

  private clear(): void {
    this.chunks = []
    this.head = 0
  }
}
