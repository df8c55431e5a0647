/** One reader's share of what is typed, in the form in which Node's editor of lines takes its input. */

import { Readable } from 'node:stream'
import type { InputReader, TypedInput } from './typed-input.ts'

/**
 * Hands everything on at once: when `feed` returns, the editor has seen the text and its listeners have run.
 * Pausing it does nothing, for others read the same input; whose turn it is `TypedInput.passTo` says.
 */
export class InputLane extends Readable implements InputReader {
  readonly isTTY: boolean
  readonly #input: TypedInput

  constructor(input: TypedInput) {
    super()
    this.#input = input
    this.isTTY = input.isTTY
  }

  feed(text: string): void {
    this.emit('data', text)
  }

  finish(): void {
    this.emit('end')
  }

  setRawMode(mode: boolean): this {
    this.#input.setRawMode(this, mode)
    return this
  }

  override pause(): this {
    return this
  }

  override resume(): this {
    return this
  }

  override _read(): void {
    // Nothing is pulled from here.
  }
}
