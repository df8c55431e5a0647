/**
 * Cuts a byte stream into the payloads of server-sent events. Pure and
 * incremental: give it pieces of any size, in any cut.
 *
 * The format, lines ending in LF, CR or CRLF, an optional BOM first:
 *
 *     : keep-alive              a comment, ignored
 *     data: {"choices":…}       one line of the payload; one space after the colon is not part of it
 *     data: more                further lines are joined by LF
 *     event: x  id: 1  retry: 2 other fields, ignored
 *                               a blank line ends the event
 *
 * A line break is one byte below 0x80, which never occurs inside a character of
 * UTF-8, so bytes are decoded only in whole lines and a cut character is never
 * seen half. Invalid bytes become U+FFFD.
 */

const LF = 0x0a
const CR = 0x0d
const MAX_EVENT_BYTES = 32 * 1024 * 1024

/** Thrown when a line or an event grows beyond the limit: the sender does not speak the format. */
export class SseTooLargeError extends Error {
  override readonly name = 'SseTooLargeError'
}

export class SseParser {
  private readonly onData: (payload: string) => void
  private readonly maxEventBytes: number
  /** Bytes of a line that has not ended, as they came. */
  private carry: Uint8Array[] = []
  private carried = 0
  private payload: string | undefined
  private started = false
  /** The last byte was CR, so an LF that follows belongs to it. */
  private afterCr = false

  /** `onData` gets the payload of each event that has one; it may throw, which ends the push. */
  constructor(onData: (payload: string) => void, maxEventBytes = MAX_EVENT_BYTES) {
    this.onData = onData
    this.maxEventBytes = maxEventBytes
  }

  /** Throws `SseTooLargeError` when a line or an event grows beyond the limit. */
  push(piece: Uint8Array): void {
    let bytes = piece
    if (this.afterCr && bytes.length > 0) {
      if (bytes[0] === LF) bytes = bytes.subarray(1)
      this.afterCr = false
    }
    const end = Math.max(bytes.lastIndexOf(LF), bytes.lastIndexOf(CR)) + 1
    if (end > 0) {
      this.afterCr = end === bytes.length && bytes[end - 1] === CR
      this.lines(this.takeCarried(bytes.subarray(0, end)))
    }
    if (end < bytes.length) this.keep(bytes.subarray(end))
  }

  /** The stream is over: hands out an event that was not closed by a blank line. */
  end(): void {
    const rest = this.takeCarried(new Uint8Array(0))
    if (rest !== '') this.lines(`${rest}\n`)
    this.dispatch()
  }

  private keep(bytes: Uint8Array): void {
    this.carried += bytes.length
    if (this.carried > this.maxEventBytes) throw this.tooLarge()
    this.carry.push(bytes)
  }

  private takeCarried(bytes: Uint8Array): string {
    let whole = bytes
    if (this.carry.length > 0) {
      this.carry.push(bytes)
      whole = Buffer.concat(this.carry)
      this.carry = []
      this.carried = 0
    }
    const text = Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength).toString('utf8')
    if (this.started || text === '') return text
    this.started = true
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  }

  /** `text` consists of whole lines. */
  private lines(text: string): void {
    const plain = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
    let from = 0
    while (from < plain.length) {
      const to = plain.indexOf('\n', from)
      if (to === from) this.dispatch()
      else this.line(plain, from, to)
      from = to + 1
    }
  }

  private line(text: string, from: number, to: number): void {
    if (!text.startsWith('data', from)) return
    let at = from + 4
    if (at < to) {
      if (text[at] !== ':') return
      at += text[at + 1] === ' ' ? 2 : 1
    }
    const value = text.slice(at, to)
    this.payload = this.payload === undefined ? value : `${this.payload}\n${value}`
    if (this.payload.length > this.maxEventBytes) throw this.tooLarge()
  }

  private dispatch(): void {
    const { payload } = this
    if (payload === undefined) return
    this.payload = undefined
    if (payload !== '') this.onData(payload)
  }

  private tooLarge(): SseTooLargeError {
    return new SseTooLargeError(`an event of more than ${this.maxEventBytes} bytes`)
  }
}
