/** A tool call: what it is about to do, its last output while it runs, and what came of it. */

import { wrapTextWithAnsi } from '@earendil-works/pi-tui'
import { renderDiff, type FileChange, type Theme } from '@deepseek-ai/dsh-terminal-view'
import { clipEnd, plural, stripControls } from '@deepseek-ai/dsh-text'
import type { TranscriptItem } from './transcript.ts'

/** What is shown of a call; its texts are stripped when drawn. */
export interface ToolHead {
  name: string
  title: string
  /** A sentence about it, from the model. */
  description?: string
  diffs?: readonly FileChange[]
}

/** What is shown of a result. */
export interface ToolEnd {
  isError: boolean
  output: string
  diffs?: readonly FileChange[]
  /** Only its length is told: what was read is not news. */
  isFolded?: boolean
  /** A word about how it ended: an exit code, a signal. */
  status?: string
}

const LIVE_LINES = 6
const SHOWN_LINES = 6
const DIFF_LINES = 60
const TAIL = 8_000
const LONGEST_TITLE = 2_000
const GUTTER = '  '

/** As `read` numbers the lines of a file. */
const NUMBERED = /^\s*\d+: /

export class ToolItem implements TranscriptItem {
  readonly #theme: Theme
  readonly #head: ToolHead
  #tail = ''
  #end: ToolEnd | undefined
  #isTaken = false
  #isWaiting = false

  constructor(theme: Theme, head: ToolHead) {
    this.#theme = theme
    this.#head = head
  }

  get isDone(): boolean {
    return this.#end !== undefined
  }

  /** All of its output, for whoever wants to see what was folded. */
  get text(): string {
    return this.#end?.output ?? this.#tail
  }

  get title(): string {
    return this.#head.title
  }

  /** Output as it comes; only the last of it is kept. */
  push(text: string): void {
    this.#tail = (this.#tail + text).slice(-TAIL)
  }

  /** The user is being asked about it. */
  wait(isWaiting: boolean): void {
    this.#isWaiting = isWaiting
  }

  end(end: ToolEnd): void {
    this.#end ??= end
  }

  takeFinished(width: number): string[] {
    if (!this.#end || this.#isTaken) return []
    this.#isTaken = true
    return [...this.#renderHead(width), ...this.#renderEnd(this.#end, width)]
  }

  live(width: number): string[] {
    if (this.#end) return []
    const state = this.#isWaiting ? ['waits for your answer'] : this.#tail.trim() === '' ? [] : wrapTextWithAnsi(clean(this.#tail), inner(width)).slice(-LIVE_LINES).map(this.#theme.dim)
    return [...this.#renderHead(width), ...indent(state, width)]
  }

  #renderHead(width: number): string[] {
    const { name, title, description } = this.#head
    const { accent, bold, dim, error, success, warning } = this.#theme
    const mark = !this.#end ? (this.#isWaiting ? warning('?') : accent('●')) : this.#end.isError ? error('✗') : success('●')
    const shown = clipEnd(clean(title), LONGEST_TITLE)
    const head = `${bold(clean(name))}${shown === '' ? '' : ` ${shown}`}${description === undefined ? '' : dim(`  ${clean(description).replaceAll('\n', ' ')}`)}`
    return ['', ...wrapTextWithAnsi(head, Math.max(1, width - 2)).map((line, i) => (width > 2 ? `${i === 0 ? mark : ' '} ${line}` : line))]
  }

  #renderEnd({ isError, output, diffs, isFolded, status }: ToolEnd, width: number): string[] {
    const theme = this.#theme
    const changes = isError ? [] : this.#changes(diffs)
    if (changes.length > 0) return indent(changes.flatMap(change => renderDiff(change, { width: inner(width), theme, mostLines: DIFF_LINES })), width)
    const lines = clean(output).split('\n').filter((line, i, all) => line.trim() !== '' || (i > 0 && i < all.length - 1))
    const style = isError ? theme.plain : theme.dim
    if (isFolded && lines.length > SHOWN_LINES) return indent([theme.dim(`${plural(lines.filter(line => NUMBERED.test(line)).length || lines.length, 'line')}, Ctrl-O shows them`)], width)
    const shown = lines.slice(0, SHOWN_LINES).flatMap(line => wrapTextWithAnsi(line, inner(width)).slice(0, SHOWN_LINES))
    const kept = shown.slice(0, SHOWN_LINES).map(style)
    const hidden = lines.length - Math.min(lines.length, SHOWN_LINES)
    return indent([
      ...kept,
      ...(hidden > 0 ? [theme.dim(`… ${plural(hidden, 'more line')}, Ctrl-O shows them`)] : []),
      ...(status === undefined ? [] : [theme.bold(clean(status))]),
    ], width)
  }

  /** A single file is called as the call did, which is shorter. */
  #changes(diffs: readonly FileChange[] | undefined): readonly FileChange[] {
    const asked = this.#head.diffs ?? []
    const [only] = asked
    return diffs?.length === 1 && asked.length === 1 && only ? diffs.map(each => ({ ...each, path: only.path })) : (diffs ?? asked)
  }
}

function clean(text: string): string {
  return stripControls(text).replaceAll('\t', '    ').trimEnd()
}

function inner(width: number): number {
  return Math.max(1, width - GUTTER.length)
}

function indent(lines: readonly string[], width: number): string[] {
  return width > GUTTER.length ? lines.map(line => GUTTER + line) : [...lines]
}
