/** Puts a question before the user in place of the editor: what it is about, choices, and words of one's own where they are wanted. */

import { Input, matchesKey, truncateToWidth, visibleWidth, wrapTextWithAnsi, type Component, type Focusable } from '@earendil-works/pi-tui'
import { describeError } from '@deepseek-ai/dsh-errors'
import { stripControls } from '@deepseek-ai/dsh-text'
import type { Theme } from '@deepseek-ai/dsh-terminal-view'

export interface PanelChoice {
  value: string
  label: string
  description?: string
  /** A key that chooses it at once. */
  key?: string
  /** Choosing it asks for words first. */
  wantsWords?: boolean
  /** A few lines about it, shown while it is pointed at. */
  preview?(): Promise<string>
}

export interface PanelOptions {
  theme: Theme
  /** Above the choices, styled and stripped, for a width. */
  head(width: number): string[]
  /** Below the choices, styled and stripped; never left out for want of room. */
  foot?(width: number): string[]
  choices: readonly PanelChoice[]
  /** Rows of the window. What is too high for it is handed to `overflow`, whole and once, and only its beginning stands in the panel. */
  rows?(): number
  overflow?(lines: readonly string[]): void
  /** More than one may be chosen: a blank marks, Enter takes what is marked. */
  isMultiple?: boolean
  /** Words that are typed leave only the choices that hold them. */
  isFiltered?: boolean
  /** Something that was waited for, a preview, has come. */
  requestRender?(): void
  /** What Esc does, as the hint says it. Default: `goes back`. */
  escape?: string
  /** Enter and a choice's key. */
  onChoose(values: string[], words: string): void
  /** Esc. */
  onCancel(): void
}

/** Choices that are seen at once. */
const ROWS = 8

/** Rows of a head that are seen however low the window is, and rows for what stands around the panel. */
const LEAST_HEAD = 4
const AROUND = 4

/** Of a preview; in a window that is lower than so many rows there is none. */
const PREVIEW_LINES = 4
const PREVIEW_FROM = 16

export class ChoicePanel implements Component, Focusable {
  focused = false
  #hasOverflowed = false
  readonly #options: PanelOptions
  readonly #marked = new Set<string>()
  readonly #search = new Input()
  readonly #previews = new Map<string, string>()
  #isLoading = false
  #selected = 0
  #input: { field: Input; value: string } | undefined

  constructor(options: PanelOptions) {
    this.#options = options
  }

  render(width: number): string[] {
    const { theme, foot } = this.#options
    const below = this.#input ? this.#renderField(this.#input.field, width) : [...this.#renderSearch(width), ...this.#renderChoices(width), ...this.#renderPreview(width)]
    const last = [...below, ...(this.#input ? [] : (foot?.(width) ?? [])), ...wrapTextWithAnsi(theme.dim(this.#hint()), width)]
    return ['', ...this.#head(width, last.length), ...last]
  }

  handleInput(data: string): void {
    if (matchesKey(data, 'ctrl+c')) return this.#options.onCancel()
    if (this.#input) return this.#handleWords(data, this.#input)
    const { isMultiple, isFiltered, onCancel, choices } = this.#options
    if (matchesKey(data, 'escape')) return onCancel()
    if (matchesKey(data, 'enter')) return this.#choose(this.#found[this.#selected]?.value)
    if (matchesKey(data, 'up') || matchesKey(data, 'ctrl+p')) return this.#step(-1)
    if (matchesKey(data, 'down') || matchesKey(data, 'ctrl+n')) return this.#step(1)
    if (isMultiple && matchesKey(data, 'space')) return this.#toggle()
    const byKey = isMultiple ? undefined : choices.find(({ key }) => key !== undefined && data === key)
    if (byKey) return this.#choose(byKey.value)
    if (!isFiltered) return
    this.#search.handleInput(data)
    this.#selected = 0
  }

  invalidate(): void {
    // Nothing is kept between frames.
  }

  /** The choices that hold every word of the search. */
  get #found(): readonly PanelChoice[] {
    const words = this.#search.getValue().toLowerCase().split(/\s+/).filter(word => word !== '')
    return this.#options.choices.filter(({ label, description = '', value }) => words.every(word => `${label} ${description} ${value}`.toLowerCase().includes(word)))
  }

  #hint(): string {
    const { isMultiple, isFiltered, choices, escape = 'goes back' } = this.#options
    if (this.#input) return 'Enter sends · Esc goes back'
    if (isMultiple) return `Space marks · Enter takes what is marked · Esc ${escape}`
    const ways = ['↑ ↓ and Enter', ...(choices.some(({ key }) => key !== undefined) ? ['the key in brackets'] : [])].join(', or ')
    return [ways, ...(isFiltered ? ['words leave only what holds them'] : []), `Esc ${escape}`].join(' · ')
  }

  #head(width: number, below: number): string[] {
    const { head, rows, overflow, theme } = this.#options
    const lines = head(width)
    const room = Math.max(LEAST_HEAD, (rows?.() ?? Infinity) - below - AROUND)
    if (lines.length <= room) return lines
    if (!this.#hasOverflowed) overflow?.(lines)
    this.#hasOverflowed = true
    return [...lines.slice(0, room - 2), ...wrapTextWithAnsi(theme.bold(`… ${lines.length - room + 2} more lines; all of it stands above`), width), '']
  }

  #renderSearch(width: number): string[] {
    return this.#options.isFiltered && this.#search.getValue() !== '' ? this.#renderField(this.#search, width) : []
  }

  #renderChoices(width: number): string[] {
    const found = this.#found
    const { theme } = this.#options
    if (found.length === 0) return [theme.dim('  nothing holds these words')]
    const first = Math.max(0, Math.min(this.#selected - ROWS + 1, found.length - ROWS))
    const column = Math.min(Math.floor(width / 2), Math.max(...found.map(choice => visibleWidth(this.#labelOf(choice)))))
    const rows = found.slice(first, first + ROWS).flatMap((choice, i) => this.#renderChoice(choice, { width, column, isSelected: first + i === this.#selected }))
    return found.length > ROWS ? [...rows, theme.dim(truncateToWidth(`  ${this.#selected + 1} of ${found.length}`, width))] : rows
  }

  /** With a description in one line, else whole. */
  #renderChoice(choice: PanelChoice, { width, column, isSelected }: { width: number; column: number; isSelected: boolean }): string[] {
    const { theme } = this.#options
    const label = this.#labelOf(choice)
    const style = isSelected ? theme.selected : (text: string): string => text
    const mark = isSelected ? '→ ' : '  '
    if (choice.description === undefined) return wrapTextWithAnsi(label, Math.max(1, width - 2)).map((line, i) => style((i === 0 ? mark : '  ') + line))
    const primary = truncateToWidth(label, column, '…', true)
    const secondary = truncateToWidth(oneLine(choice.description), Math.max(0, width - column - 4), '…')
    return [isSelected ? theme.selected(`${mark}${primary}  ${secondary}`) : `${mark}${primary}  ${theme.dim(secondary)}`]
  }

  /** Always as high, so that nothing jumps while the arrows go through the choices. */
  #renderPreview(width: number): string[] {
    const { choices, rows, theme } = this.#options
    if (!choices.some(({ preview }) => preview) || (rows?.() ?? Infinity) < PREVIEW_FROM) return []
    const chosen = this.#found[this.#selected]
    const text = chosen && this.#previews.get(chosen.value)
    if (chosen && text === undefined) this.#load(chosen)
    const lines = (text ?? '').split('\n').flatMap(line => wrapTextWithAnsi(stripControls(line).replaceAll('\t', '    '), Math.max(1, width - 2)))
    return ['', ...Array.from({ length: PREVIEW_LINES }, (_, i) => theme.dim(`  ${lines[i] ?? ''}`)), '']
  }

  /** One at a time: whoever runs through the list waits only for the last. */
  #load({ value, preview }: PanelChoice): void {
    if (this.#isLoading || !preview) return
    this.#isLoading = true
    void preview().catch((error: unknown) => describeError(error)).then(text => this.#previews.set(value, text)).finally(() => {
      this.#isLoading = false
      this.#options.requestRender?.()
    })
  }

  #labelOf({ value, label, key }: PanelChoice): string {
    const mark = this.#options.isMultiple ? (this.#marked.has(value) ? '[x] ' : '[ ] ') : key === undefined ? '' : `[${key}] `
    return mark + oneLine(label)
  }

  /** Around the end it goes on at the other. */
  #step(by: 1 | -1): void {
    const { length } = this.#found
    this.#selected = length === 0 ? 0 : (this.#selected + by + length) % length
  }

  #toggle(): void {
    const value = this.#found[this.#selected]?.value
    if (value !== undefined && !this.#marked.delete(value)) this.#marked.add(value)
  }

  #choose(value: string | undefined): void {
    const choice = this.#options.choices.find(each => each.value === value)
    if (!choice) return
    if (choice.wantsWords) {
      this.#input = { field: new Input(), value: choice.value }
      return
    }
    const marked = this.#options.isMultiple && this.#marked.size > 0 ? [...this.#marked] : [choice.value]
    this.#options.onChoose(marked, '')
  }

  #handleWords(data: string, { field, value }: { field: Input; value: string }): void {
    if (matchesKey(data, 'escape')) this.#input = undefined
    else if (matchesKey(data, 'enter')) this.#options.onChoose([...this.#marked, value], field.getValue().trim())
    else field.handleInput(data)
  }

  #renderField(field: Input, width: number): string[] {
    field.focused = this.focused
    return [...field.render(width)]
  }
}

function oneLine(text: string): string {
  return stripControls(text).replace(/\s+/g, ' ')
}
