/**
 * Splits a stream of bytes into lines, as they come.
 *
 * A line ends with LF; a CR before it, and a BOM before the first, are no part
 * of it. What stands after the last LF is a line too. A line that is longer
 * than allowed is not kept: its bytes are counted and let go.
 */

/** A line, or why it is none. `number` counts from 1. */
export type InputLine = { kind: 'line'; number: number; text: string } | { kind: 'bad'; number: number; code: 'LINE_TOO_LONG' | 'NOT_UTF8'; message: string }

const LF = 0x0a

/** Ends with the stream; throws what the stream fails with. Empty lines are left out. */
export async function* readLines(stream: AsyncIterable<Uint8Array | string>, mostBytes: number): AsyncGenerator<InputLine, void, void> {
  const part = new PartialLine(mostBytes)
  for await (const chunk of stream) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    let start = 0
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, start)) {
      part.add(bytes.subarray(start, end))
      const line = part.end()
      if (line) yield line
      start = end + 1
    }
    part.add(bytes.subarray(start))
  }
  const last = part.end()
  if (last) yield last
}

/** The bytes of a line that has not ended yet. */
class PartialLine {
  readonly #mostBytes: number
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  #chunks: Uint8Array[] = []
  #length = 0
  #number = 1

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#length += bytes.length
    if (this.#length <= this.#mostBytes) this.#chunks.push(bytes)
    else this.#chunks = []
  }

  /** Undefined for an empty line. */
  end(): InputLine | undefined {
    const [number, length] = [this.#number++, this.#length]
    const bytes = Buffer.concat(this.#chunks)
    this.#chunks = []
    this.#length = 0
    if (length > this.#mostBytes) {
      return { kind: 'bad', number, code: 'LINE_TOO_LONG', message: `the line has ${length} bytes, and at most ${this.#mostBytes} are taken; put long text into a file and name the file` }
    }
    try {
      const text = this.#decoder.decode(bytes).replace(/\r$/, '')
      const whole = number === 1 ? text.replace(/^\uFEFF/, '') : text
      return whole.trim() === '' ? undefined : { kind: 'line', number, text: whole }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      return { kind: 'bad', number, code: 'NOT_UTF8', message: 'the line is not UTF-8 text' }
    }
  }
}
