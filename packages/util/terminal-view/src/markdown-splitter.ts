/**
 * Cuts Markdown that is still being written into parts that will not change any
 * more, so that each is drawn once however long the answer becomes.
 */

/** A piece of the text that stands by itself. */
export type MarkdownPart =
  | { kind: 'text'; text: string }
  /** Whole lines of a fenced block; `before` are those of earlier parts of the same block. */
  | { kind: 'code'; code: string; language: string; before: string }

/** A block of code is handed over in parts when it is longer than a screen is high. */
const LINES_OF_PART = 40

const FENCE = /^( {0,3})(`{3,}|~{3,})([^`]*)$/

interface Fence {
  mark: string
  language: string
  /** Handed over already. */
  before: string[]
}

export class MarkdownSplitter {
  /** The lines of the part that is being written, whole ones. */
  #lines: string[] = []
  /** The line that is being written. */
  #line = ''
  #fence: Fence | undefined

  /** The parts that are complete with this text. */
  push(text: string): MarkdownPart[] {
    const parts: MarkdownPart[] = []
    const pieces = (this.#line + text).split('\n')
    this.#line = pieces.pop() ?? ''
    for (const line of pieces) this.#take(line, parts)
    return parts
  }

  /** What is not complete, as far as it has come; undefined when there is nothing. */
  get rest(): MarkdownPart | undefined {
    const fence = this.#fence
    // What may become the mark that ends the block is not shown as a line of it.
    const last = fence && /^\s*[`~]*$/.test(this.#line) ? [] : [this.#line]
    const text = [...this.#lines, ...last].join('\n')
    if (text.trim() === '') return undefined
    return fence ? { kind: 'code', code: text, language: fence.language, before: fence.before.join('\n') } : { kind: 'text', text }
  }

  /** Nothing more will come. */
  end(): MarkdownPart[] {
    const parts = this.#line === '' ? [] : this.push('\n')
    const { rest } = this
    this.#lines = []
    this.#line = ''
    this.#fence = undefined
    return rest ? [...parts, rest] : parts
  }

  #take(line: string, parts: MarkdownPart[]): void {
    if (this.#fence) return this.#takeCode(line, this.#fence, parts)
    const fence = FENCE.exec(line)
    // Inside a list a fence belongs to its item, and the item is drawn as a whole.
    if (fence && !this.#isInList()) {
      this.#handOver(parts)
      this.#fence = { mark: fence[2] ?? '```', language: (fence[3] ?? '').trim().split(/\s+/)[0] ?? '', before: [] }
      return
    }
    // What begins at the margin after a blank line cannot change what stands before it.
    if (this.#lines.at(-1)?.trim() === '' && /^\S/.test(line)) this.#handOver(parts)
    this.#lines.push(line)
  }

  #takeCode(line: string, fence: Fence, parts: MarkdownPart[]): void {
    const isEnd = line.trimStart().startsWith(fence.mark) && /^[`~]+$/.test(line.trim())
    if (!isEnd) this.#lines.push(line)
    if (!isEnd && this.#lines.length < LINES_OF_PART) return
    if (this.#lines.length > 0) parts.push({ kind: 'code', code: this.#lines.join('\n'), language: fence.language, before: fence.before.join('\n') })
    if (isEnd) this.#fence = undefined
    else fence.before.push(...this.#lines)
    this.#lines = []
  }

  #isInList(): boolean {
    return this.#lines.some(line => /^\s*(?:[-*+]|\d{1,9}[.)])\s/.test(line)) && this.#lines.at(-1)?.trim() !== ''
  }

  #handOver(parts: MarkdownPart[]): void {
    const text = this.#lines.join('\n')
    this.#lines = []
    if (text.trim() !== '') parts.push({ kind: 'text', text })
  }
}
