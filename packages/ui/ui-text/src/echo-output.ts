/** Where the typed line is shown: passes it on to the terminal, except while somebody else writes there. */

import { Writable } from 'node:stream'

/** As much of a terminal's stream as an editor of lines needs. */
export class EchoOutput extends Writable {
  isMuted = false
  /** Nobody may see what is typed. */
  isHidden = false
  private readonly target: NodeJS.WritableStream & { columns?: number }
  private readonly onResize = (): void => void this.emit('resize')

  constructor(target: NodeJS.WritableStream & { columns?: number }) {
    super({ decodeStrings: false })
    this.target = target
    target.on('resize', this.onResize)
  }

  get columns(): number | undefined {
    return this.target.columns
  }

  override _write(chunk: string | Buffer, _encoding: string, done: () => void): void {
    if (!this.isMuted && !this.isHidden) this.target.write(chunk)
    done()
  }

  /** Lets go of the terminal. */
  detach(): void {
    this.target.off('resize', this.onResize)
  }
}
