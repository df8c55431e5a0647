/** What is typed while one interface gives way to another: it is seen by nobody and waits for the next. */

import type { Terminal } from './types.ts'

/** An interface that is loaded anew is back by then; otherwise the terminal is what it was. */
const LONGEST_MS = 5000

export class KeptKeys {
  private readonly stdin: Terminal['stdin']
  private readonly pieces: Buffer[] = []
  private timer: NodeJS.Timeout | undefined

  constructor(stdin: Terminal['stdin']) {
    this.stdin = stdin
  }

  /** Keeps what is typed from now on, on a terminal; anywhere else it waits by itself. */
  keep(): void {
    const { stdin } = this
    if (stdin.isTTY !== true || this.timer) return
    this.timer = setTimeout(() => this.release(), LONGEST_MS)
    stdin.setRawMode?.(true)
    stdin.on('data', this.onData)
    stdin.resume()
  }

  /** What was typed, once; the terminal is free again. */
  take(): string {
    this.release()
    return Buffer.concat(this.pieces.splice(0)).toString()
  }

  private release(): void {
    if (!this.timer) return
    clearTimeout(this.timer)
    this.timer = undefined
    this.stdin.off('data', this.onData)
    this.stdin.pause()
    this.stdin.setRawMode?.(false)
  }

  private readonly onData = (chunk: Buffer | string): void => void this.pieces.push(Buffer.from(chunk as string))
}
