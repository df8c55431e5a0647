/** The process's terminal, whose size is asked of the system with each frame: the signal of a change comes late, and a frame of the old width would tear the screen. */

import { ProcessTerminal } from '@earendil-works/pi-tui'

/** Node's stream asks the system in a method that it calls itself on the signal; where there is none, the signal is waited for. */
interface Sized {
  _refreshSize?(): void
}

export class FreshTerminal extends ProcessTerminal {
  /** Tells the listeners of `resize` when it has changed. */
  refreshSize(): void {
    const stdout = process.stdout as NodeJS.WriteStream & Sized
    stdout._refreshSize?.()
  }
}
