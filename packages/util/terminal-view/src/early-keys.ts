/** Keys that were typed before the terminal was a program's own: until then, the system makes a line feed of Enter. */

/** What was typed before is read at once, together; a program that has just begun is busy, though. */
const READ_BY_MS = 500

/** What is pasted with a mark was pasted since: before, the terminal had not been told to set one. */
const PASTE_BEGIN = '\u001b[200~'

export class EarlyKeys {
  #began: number | undefined
  #isOver = false

  /** The terminal has been taken. Only the first time counts: behind another program, an Enter too many is more likely than a message. */
  begin(): void {
    if (this.#began === undefined) this.#began = performance.now()
    else this.#isOver = true
  }

  /** What has come; where it was typed before, with Enter as a key of its own. */
  read(data: string): string {
    if (this.#isOver || this.#began === undefined) return data
    this.#isOver = true
    if (performance.now() - this.#began > READ_BY_MS) return data
    const [typed = '', ...pasted] = data.split(PASTE_BEGIN)
    return [typed.replaceAll('\n', '\r'), ...pasted].join(PASTE_BEGIN)
  }
}
