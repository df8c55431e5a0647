/** Puts a question before the user in place of the editor: what it is about, choices, and words of one's own where they are wanted. */

import { Input, matchesKey, SelectList, wrapTextWithAnsi, type Component, type Focusable } from '@earendil-works/pi-tui'
import { stripControls } from '@deepseek-ai/dsh-text'
import type { Theme } from '@deepseek-ai/dsh-terminal-view'
import { selectTheme } from './editor-theme.ts'

export interface PanelChoice {
  value: string
  label: string
  description?: string
  /** A key that chooses it at once. */
  key?: string
  /** Choosing it asks for words first. */
  wantsWords?: boolean
}

export interface PanelOptions {
  theme: Theme
  /** Above the choices, styled and stripped, for a width. */
  head(width: number): string[]
  choices: readonly PanelChoice[]
  /** Rows of the window. What is too high for it is handed to `overflow`, whole and once, and only its beginning stands in the panel. */
  rows?(): number
  overflow?(lines: readonly string[]): void
  /** More than one may be chosen: a blank marks, Enter takes what is marked. */
  isMultiple?: boolean
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

export class ChoicePanel implements Component, Focusable {
  focused = false
  #hasOverflowed = false
  readonly #options: PanelOptions
  #list: SelectList
  readonly #marked = new Set<string>()
  #input: { field: Input; value: string } | undefined

  constructor(options: PanelOptions) {
    this.#options = options
    this.#list = this.#createList()
  }

  render(width: number): string[] {
    const { theme } = this.#options
    const below = this.#input ? this.#renderInput(this.#input.field, width) : [...this.#list.render(width)]
    const hint = this.#input ? 'Enter sends · Esc goes back' : this.#options.isMultiple ? 'blank marks · Enter takes what is marked · Esc refuses' : '↑ ↓ and Enter, or the key in brackets · Esc refuses'
    const foot = [...below, ...wrapTextWithAnsi(theme.dim(hint), width)]
    return ['', ...this.#head(width, foot.length), ...foot]
  }

  #head(width: number, below: number): string[] {
    const { head, rows, overflow, theme } = this.#options
    const lines = head(width)
    const room = Math.max(LEAST_HEAD, (rows?.() ?? Infinity) - below - AROUND)
    if (lines.length <= room) return lines
    if (!this.#hasOverflowed) overflow?.(lines)
    this.#hasOverflowed = true
    return [...lines.slice(0, room - 2), ...wrapTextWithAnsi(theme.warning(`… ${lines.length - room + 2} more lines; all of it stands above`), width), '']
  }

  handleInput(data: string): void {
    if (this.#input) return this.#handleWords(data, this.#input)
    if (this.#options.isMultiple && matchesKey(data, 'space')) return this.#toggle()
    const byKey = this.#options.choices.find(({ key }) => key !== undefined && data === key)
    if (byKey) return this.#choose(byKey.value)
    this.#list.handleInput(data)
  }

  invalidate(): void {
    this.#list.invalidate()
  }

  #items(): { value: string; label: string; description?: string }[] {
    return this.#options.choices.map(({ value, label, description, key }) => ({
      value,
      label: `${this.#options.isMultiple ? (this.#marked.has(value) ? '[x] ' : '[ ] ') : key === undefined ? '' : `[${key}] `}${stripControls(label)}`,
      ...(description !== undefined && { description: stripControls(description) }),
    }))
  }

  #toggle(): void {
    const value = this.#list.getSelectedItem()?.value
    if (value === undefined) return
    if (!this.#marked.delete(value)) this.#marked.add(value)
    const at = this.#options.choices.findIndex(each => each.value === value)
    this.#list = this.#createList()
    this.#list.setSelectedIndex(at)
  }

  #createList(): SelectList {
    const list = new SelectList(this.#items(), ROWS, selectTheme(this.#options.theme))
    list.onSelect = ({ value }) => this.#choose(value)
    list.onCancel = () => this.#options.onCancel()
    return list
  }

  #choose(value: string): void {
    const choice = this.#options.choices.find(each => each.value === value)
    if (choice?.wantsWords) {
      this.#input = { field: new Input(), value }
      this.#input.field.focused = this.focused
      return
    }
    const marked = this.#options.isMultiple && this.#marked.size > 0 ? [...this.#marked] : [value]
    this.#options.onChoose(marked, '')
  }

  #handleWords(data: string, { field, value }: { field: Input; value: string }): void {
    if (matchesKey(data, 'escape')) this.#input = undefined
    else if (matchesKey(data, 'enter')) this.#options.onChoose([...this.#marked, value], field.getValue().trim())
    else field.handleInput(data)
  }

  #renderInput(field: Input, width: number): string[] {
    field.focused = this.focused
    return [...field.render(width)]
  }
}
