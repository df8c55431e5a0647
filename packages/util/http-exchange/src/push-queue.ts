/** Turns pushed items into an async iterator without a generator: one settled promise per item, none per hop. */

/** More items than this waiting, and the producer is told to pause; fewer than the low mark, to go on. */
const HIGH = 4096
const LOW = 512

/** What the queue tells its producer. None of them may throw. */
export interface QueueHooks {
  /** Called once, when the first item is asked for. */
  start(): void
  /** The consumer left early: release everything. */
  cancel(): void
  pause(): void
  resume(): void
}

/** One consumer. Items come out in order; then the end, or the failure. */
export class PushQueue<T extends object> implements AsyncIterableIterator<T, undefined> {
  private readonly hooks: QueueHooks
  private items: T[] = []
  private head = 0
  private waiting: PromiseWithResolvers<IteratorResult<T, undefined>> | undefined
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

  push(item: T): void {
    if (this.over) return
    const { waiting } = this
    if (waiting) {
      this.waiting = undefined
      waiting.resolve({ value: item, done: false })
      return
    }
    this.items.push(item)
    if (!this.paused && this.items.length - this.head > HIGH) {
      this.paused = true
      this.hooks.pause()
    }
  }

  /** No more items. Later calls of anything but `next` do nothing. */
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

  next(): Promise<IteratorResult<T, undefined>> {
    if (!this.started) {
      this.started = true
      this.hooks.start()
    }
    const item = this.items[this.head]
    if (item !== undefined) return this.take(item)
    if (this.failure) {
      const { error } = this.failure
      this.failure = undefined
      return Promise.reject(error)
    }
    if (this.over) return Promise.resolve({ value: undefined, done: true })
    this.waiting = Promise.withResolvers<IteratorResult<T, undefined>>()
    return this.waiting.promise
  }

  return(): Promise<IteratorResult<T, undefined>> {
    this.clear()
    this.failure = undefined
    if (!this.over) {
      this.end()
      this.hooks.cancel()
    }
    return Promise.resolve({ value: undefined, done: true })
  }

  private take(item: T): Promise<IteratorResult<T, undefined>> {
    this.head++
    const left = this.items.length - this.head
    if (left === 0) this.clear()
    if (this.paused && left < LOW) {
      this.paused = false
      this.hooks.resume()
    }
    return Promise.resolve({ value: item, done: false })
  }

  private clear(): void {
    this.items = []
    this.head = 0
  }
}
