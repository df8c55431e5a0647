/**
 * Keys before the library takes them apart. It collects what begins like an answer of the terminal,
 * or a paste, until that ends, and takes no key meanwhile; here an end is found for one that has none.
 *
 *     ESC ] 11 ; rgb : ff                what never came is given up, and the beginning with it
 *     ESC [ 200 ~ some text              is a paste as far as it came
 *
 * While nothing is unfinished, no timer runs.
 */

import { matchesKey } from '@earendil-works/pi-tui'

/** The library's buffer, as far as it is needed here. */
export interface KeyBuffer {
  process(data: string): void
  getBuffer(): string
  flush(): string[]
  pasteMode: boolean
}

/** Pieces of an answer come closer together than this. */
const ANSWER_SILENCE_MS = 1000

/** However close together pieces come: it is a person who types by then. */
const LONGEST_ANSWER_MS = 3000

/** A connection that has lost a packet sends it again within this. A paste that was cut too soon would be typed, and its lines sent. */
const PASTE_SILENCE_MS = 1000

const PASTE_BEGIN = '\u001b[200~'
const PASTE_END = '\u001b[201~'

/** Nobody types so much between two looks at the keyboard. In UTF-16 units. */
const MOST_TYPED = 32

/** The answers for which the library waits without an end. */
// oxlint-disable-next-line no-control-regex
const ANSWER = /^\u001b(?:\](?:1[01];|4;\d{1,3};|7501;\?)|P>\||_G(?:[a-z]=\d+,)*[a-z]=\d+;)/

/** What may stand in an answer, a colour and another: what comes behind it is a key. Bells and ESC are the library's. */
// oxlint-disable-next-line no-control-regex
const COLOR_ANSWER = /^\u001b\](?:1[01]|4;\d{1,3});[\da-fgr:;/#]*/i
// oxlint-disable-next-line no-control-regex
const OTHER_ANSWER = /^\u001b[\]P_][^\u0000-\u0006\u0008-\u001f\u007f]*/

/** The end of an answer whose beginning was given up. */
// oxlint-disable-next-line no-control-regex
const REST_OF_ANSWER = /^[\da-fgr:;/#]+(?:\u0007|\u001b\\)/i

export class BoundedInput implements Disposable {
  readonly #buffer: KeyBuffer
  #timer: NodeJS.Timeout | undefined
  /** When the answer began that is unfinished, by `performance.now()`. */
  #answerSince: number | undefined
  /** What was given up last; the next piece may still be the rest of it. */
  #givenUp: 'answer' | 'paste' | undefined

  constructor(buffer: KeyBuffer) {
    this.#buffer = buffer
  }

  /** What the terminal has sent, as it comes. */
  take(data: string): void {
    clearTimeout(this.#timer)
    const givenUp = this.#givenUp
    this.#givenUp = undefined
    const buffer = this.#buffer
    if (givenUp === 'paste' && isRestOfPaste(data)) buffer.process(PASTE_BEGIN)
    else if (buffer.pasteMode && isInterrupt(data)) buffer.process(PASTE_END)
    const rest = givenUp === 'answer' ? data.replace(REST_OF_ANSWER, '') : data
    if (rest !== '') buffer.process(rest)
    this.#freeKeys()
    this.#wait()
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
  }

  /** The unfinished answer. */
  get #answer(): string | undefined {
    const held = this.#buffer.getBuffer()
    return ANSWER.test(held) ? held : undefined
  }

  /** Keys behind an answer that was cut off get through at once, Ctrl-C and Enter among them. */
  #freeKeys(): void {
    for (let held = this.#answer; held !== undefined; held = this.#answer) {
      const { length } = (COLOR_ANSWER.exec(held) ?? OTHER_ANSWER.exec(held))?.[0] ?? held
      const next = held[length]
      if (next === undefined || next === '\u001b' || next === '\u0007') return
      this.#buffer.flush()
      this.#buffer.process(held.slice(length))
    }
  }

  #wait(): void {
    const now = performance.now()
    this.#answerSince = this.#answer === undefined ? undefined : (this.#answerSince ?? now)
    if (this.#answerSince !== undefined) this.#timer = setTimeout(() => this.#giveUpAnswer(), Math.min(ANSWER_SILENCE_MS, this.#answerSince + LONGEST_ANSWER_MS - now))
    else if (this.#buffer.pasteMode) this.#timer = setTimeout(() => this.#giveUpPaste(), PASTE_SILENCE_MS)
  }

  #giveUpAnswer(): void {
    this.#answerSince = undefined
    this.#givenUp = 'answer'
    this.#buffer.flush()
  }

  #giveUpPaste(): void {
    this.#givenUp = 'paste'
    this.#buffer.process(PASTE_END)
  }
}

/** Ctrl-C alone, in whatever way the terminal sends it; pressed more often than the connection carries it, it comes together. */
function isInterrupt(data: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return /^\u0003+$/.test(data) || matchesKey(data, 'ctrl+c')
}

/** One key is a key; lines, and more than anybody types at once, are what a slow connection had held back. */
function isRestOfPaste(data: string): boolean {
  return data.includes(PASTE_END) || data.length > MOST_TYPED || (data.length > 1 && /[\r\n]/.test(data))
}
