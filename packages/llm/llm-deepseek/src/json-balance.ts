/** Tells, while JSON text streams, whether its outermost object is closed. Reads every character once; does not validate. */

export class JsonBalance {
  private depth = 0
  private inString = false
  private escaped = false
  private begun = false

  /** Takes the next piece, cut anywhere. */
  feed(text: string): void {
    for (let i = 0; i < text.length; i++) this.character(text.charCodeAt(i))
  }

  /** Something was opened, and everything that was opened is closed. */
  get closed(): boolean {
    return this.begun && this.depth === 0
  }

  private character(code: number): void {
    if (this.inString) this.insideString(code)
    else if (code === 0x22) this.inString = true
    else if (code === 0x7b || code === 0x5b) {
      this.depth++
      this.begun = true
    } else if (code === 0x7d || code === 0x5d) this.depth--
  }

  private insideString(code: number): void {
    if (this.escaped) this.escaped = false
    else if (code === 0x5c) this.escaped = true
    else if (code === 0x22) this.inString = false
  }
}
