/**
 * The process's terminal. Its size is asked of the system with each frame: the signal of a change comes late, and a frame
 * of the old width would tear the screen. What it sends is taken for keys again when an answer or a paste has no end.
 */

import { ProcessTerminal } from '@earendil-works/pi-tui'
import { BoundedInput, type KeyBuffer } from './bounded-input.ts'
import { EarlyKeys } from './early-keys.ts'

/** Node's stream asks the system in a method that it calls itself on the signal; where there is none, the signal is waited for. */
interface Sized {
  _refreshSize?(): void
}

/** The parts of the library's terminal that it does not show. It is pinned to one version, and the specs fail when one is no longer what it was. */
interface Inside {
  stdinBuffer?: KeyBuffer
  /** Listens to stdin, and is taken off it by `stop`. */
  stdinDataHandler?: (data: string) => void
}

export class FreshTerminal extends ProcessTerminal {
  readonly #early = new EarlyKeys()
  #input: BoundedInput | undefined

  /** Tells the listeners of `resize` when it has changed. */
  refreshSize(): void {
    const stdout = process.stdout as NodeJS.WriteStream & Sized
    stdout._refreshSize?.()
  }

  override start(onInput: (data: string) => void, onResize: () => void): void {
    super.start(onInput, onResize)
    const inside = this as unknown as Inside
    const { stdinBuffer, stdinDataHandler } = inside
    if (!stdinBuffer || !stdinDataHandler) return
    const input = new BoundedInput(stdinBuffer)
    this.#input = input
    this.#early.begin()
    process.stdin.off('data', stdinDataHandler)
    inside.stdinDataHandler = data => input.take(this.#early.read(data))
    process.stdin.on('data', inside.stdinDataHandler)
  }

  /** As if it had been typed, while this has the terminal. */
  feed(keys: string): void {
    if (keys !== '') (this as unknown as Inside).stdinDataHandler?.(keys)
  }

  override stop(): void {
    this.#input?.[Symbol.dispose]()
    super.stop()
  }
}
