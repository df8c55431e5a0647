/** A connection that leads nowhere: whatever is sent over it is answered with the same bytes. */

import { Duplex } from 'node:stream'

/** As much of `net.Socket` as Node's HTTP client asks for. */
export class AnsweredConnection extends Duplex {
  readonly connecting = false
  private readonly answer: string

  /** `answer` is a whole HTTP response. */
  constructor(answer: string) {
    super()
    this.answer = answer
  }

  override _read(): void {
    // The answer comes when something has been sent.
  }

  override _write(_chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    done()
    if (this.readableEnded || this.readableLength > 0) return
    this.push(this.answer)
    this.push(null)
  }

  setKeepAlive(): this {
    return this
  }

  setNoDelay(): this {
    return this
  }

  setTimeout(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }
}
