/** A stdin that is a terminal as far as anybody can tell. */

import { PassThrough } from 'node:stream'

export interface FakeTerminal extends PassThrough {
  isTTY: boolean
  /** Whether raw mode was on after each change. */
  readonly modes: boolean[]
  setRawMode(mode: boolean): void
  /** Resolves when all of it has come. */
  type(...pieces: string[]): Promise<void>
}

export function fakeTerminal({ isTTY = true } = {}): FakeTerminal {
  const modes: boolean[] = []
  const stdin = new PassThrough()
  return Object.assign(stdin, {
    isTTY,
    modes,
    setRawMode: (mode: boolean) => void modes.push(mode),
    async type(...pieces: string[]) {
      for (const piece of pieces) {
        stdin.write(piece)
        await new Promise(resolve => setImmediate(resolve))
      }
    },
  })
}
