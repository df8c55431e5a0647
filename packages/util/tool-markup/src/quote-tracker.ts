/** Follows Markdown text as it streams and tells whether what comes next would be quoted: code, or a block quote. */

export class QuoteTracker {
  private fence: string | undefined
  private line = ''

  /** Takes the next piece, cut anywhere. */
  feed(text: string): void {
    let from = 0
    for (let to = text.indexOf('\n'); to >= 0; to = text.indexOf('\n', from)) {
      this.endLine(this.line + text.slice(from, to))
      this.line = ''
      from = to + 1
    }
    this.line += from === 0 ? text : text.slice(from)
  }

  /** In a fence, in an inline code span, in an indented code line, or in a block quote. */
  get quoted(): boolean {
    if (this.fence !== undefined) return true
    if (/^(\s*>|\t| {4})/.test(this.line)) return true
    return (this.line.match(/`+/g)?.length ?? 0) % 2 === 1
  }

  /** Nothing but blanks stands on the line so far. */
  get atLineStart(): boolean {
    return this.line.trim() === ''
  }

  private endLine(line: string): void {
    const mark = /^\s*(`{3,}|~{3,})(.*)$/.exec(line.length > 200 ? line.slice(0, 200) : line)
    if (!mark) return
    const [, run = '', rest = ''] = mark
    if (this.fence === undefined) {
      // A backtick after the opening run makes it inline code, not a fence.
      if (run[0] === '~' || !rest.includes('`')) this.fence = run
    } else if (run[0] === this.fence[0] && run.length >= this.fence.length && rest.trim() === '') {
      this.fence = undefined
    }
  }
}
