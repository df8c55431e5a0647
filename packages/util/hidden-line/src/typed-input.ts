/** What is typed, handed to one reader at a time, line by line; and the modes of the terminal that it is typed on. */

import { EventEmitter } from 'node:events'
import { StringDecoder } from 'node:string_decoder'
import { cutInput } from './cut-input.ts'

/** As much of stdin as this needs. */
export type InputSource = NodeJS.ReadableStream & { isTTY?: boolean; setRawMode?(mode: boolean): unknown }

export interface InputReader {
  /** Gets a part of a line, or the rest of one with its end. */
  feed(text: string): void
  /** There will be no more. Called once. */
  finish(): void
}

interface TypedInputEvents {
  /** Ctrl-C while nobody reads or what is typed is thrown away; what was typed before it is thrown away, too. */
  interrupt: []
  /** The process was stopped and goes on: what others have written on the screen meanwhile is not known. */
  back: []
  /** Input cannot be read any more. */
  error: [error: unknown]
}

const CTRL_C = '\u0003'
const CTRL_Z = '\u001a'

/** A line end in two parts that comes in two pieces does so within this time, as Node has it. */
const LINE_END_MS = 100

export class TypedInput extends EventEmitter<TypedInputEvents> implements Disposable {
  readonly isTTY: boolean
  readonly #stdin: InputSource
  readonly #decoder = new StringDecoder('utf8')
  /** Who wants raw mode. */
  readonly #raw = new Set<object>()
  /** Come, and taken by nobody yet. */
  #waiting = ''
  #reader: InputReader | undefined
  #isHandingOn = false
  #hasEnded = false
  readonly #finished = new WeakSet<InputReader>()
  #returnAt = -Infinity

  /** Reads `stdin` until it is closed; `typed` comes first, as if it had been typed. */
  constructor(stdin: InputSource, typed = '') {
    super()
    this.#stdin = stdin
    this.#waiting = typed
    this.isTTY = stdin.isTTY === true
    stdin.on('data', this.#onData)
    stdin.on('end', this.#onEnd)
    stdin.on('error', this.#onError)
    if (this.isTTY) process.on('SIGCONT', this.#onContinue)
    stdin.resume()
  }

  /** What nobody has taken. */
  get waiting(): string {
    return this.#waiting
  }

  /** Who gets what comes from now on, and what is waiting; undefined: it waits. The reader may change hands while it is fed: what is behind the current line goes to the new one. */
  passTo(reader: InputReader | undefined): void {
    this.#reader = reader
    this.#handOn()
  }

  /** The terminal is in raw mode, in which it shows nothing by itself, as long as anybody wants it. */
  setRawMode(owner: object, mode: boolean): void {
    const before = this.#raw.size > 0
    if (mode) this.#raw.add(owner)
    else this.#raw.delete(owner)
    if (this.#raw.size > 0 !== before) this.#applyMode(!before)
  }

  /**
   * Stops the job until its shell brings it back, as Ctrl-Z does. The call returns when it goes on, or at once where
   * no shell could bring it back and the system therefore does not stop it: either way raw mode is back with it, and
   * at no time in between is something typed that the terminal would show.
   */
  suspend(): void {
    if (process.platform === 'win32') return
    this.#applyMode(false)
    try {
      // As the terminal itself would: also those that started this process, such as npm.
      process.kill(0, 'SIGTSTP')
    } finally {
      this.#applyMode(this.#raw.size > 0)
    }
  }

  /** Does what Ctrl-C and Ctrl-Z in a text from the terminal stand for, where no editor of lines does. */
  obey(text: string): void {
    if (text.includes(CTRL_C)) this.emit('interrupt')
    if (text.includes(CTRL_Z)) this.suspend()
  }

  /** Lets go of stdin and of raw mode. */
  [Symbol.dispose](): void {
    this.#reader = undefined
    this.#waiting = ''
    if (this.#raw.size > 0) this.#applyMode(false)
    this.#raw.clear()
    process.off('SIGCONT', this.#onContinue)
    this.#stdin.off('data', this.#onData)
    this.#stdin.off('end', this.#onEnd)
    this.#stdin.off('error', this.#onError)
    this.#stdin.pause()
  }

  readonly #onData = (chunk: Buffer | string): void => {
    let text = this.#decoder.write(chunk as Buffer)
    if (text === '') return
    const isWithin = !this.isTTY || performance.now() - this.#returnAt <= LINE_END_MS
    // The second part of a line end must not be taken for an empty line by the next reader.
    if (text.startsWith('\n') && isWithin) text = text.slice(1)
    this.#returnAt = text.endsWith('\r') ? performance.now() : -Infinity
    this.#waiting += text
    this.#handOn()
  }

  readonly #onEnd = (): void => {
    this.#hasEnded = true
    this.#handOn()
  }

  readonly #onError = (error: unknown): void => void this.emit('error', error)

  readonly #onContinue = (): void => {
    // The shell has set modes of its own: only a change makes Node set them again.
    this.#applyMode(false)
    this.#applyMode(this.#raw.size > 0)
    // Paused and resumed, or what is typed may not be noticed any more.
    this.#stdin.pause()
    this.#stdin.resume()
    this.emit('back')
  }

  #handOn(): void {
    if (this.#isHandingOn) return
    this.#isHandingOn = true
    try {
      while (this.#reader && this.#waiting !== '') {
        const [first, rest] = cutInput(this.#waiting)
        this.#waiting = rest
        this.#reader.feed(first)
      }
      this.#finish()
    } finally {
      this.#isHandingOn = false
    }
    if (!this.#reader && this.#raw.size > 0) this.#obeyWaiting()
  }

  #finish(): void {
    while (this.#hasEnded && this.#waiting === '' && this.#reader && !this.#finished.has(this.#reader)) {
      const reader = this.#reader
      this.#finished.add(reader)
      reader.finish()
    }
  }

  /** Keys that cannot wait for a reader. */
  #obeyWaiting(): void {
    const text = this.#waiting
    this.#waiting = text.slice(text.lastIndexOf(CTRL_C) + 1).replaceAll(CTRL_Z, '')
    this.obey(text)
  }

  #applyMode(mode: boolean): void {
    this.#stdin.setRawMode?.(mode)
  }
}
