/** Searches what was typed before while the search is typed: Ctrl-R. It stands where the editor stands. */

import { Input, matchesKey, truncateToWidth, type Component, type Focusable } from '@earendil-works/pi-tui'
import type { Theme } from '@deepseek-ai/dsh-terminal-view'
import { plural, stripControls } from '@deepseek-ai/dsh-text'

export interface HistoryPanelOptions {
  theme: Theme
  /** Newest first. */
  entries: readonly string[]
  /** Undefined: none was taken. */
  onDone(entry: string | undefined): void
}

const ROWS = 8

export class HistoryPanel implements Component, Focusable {
  readonly #options: HistoryPanelOptions
  readonly #input = new Input()
  #found: readonly string[]
  #selected = 0

  constructor(options: HistoryPanelOptions) {
    this.#options = options
    this.#found = options.entries
  }

  get focused(): boolean {
    return this.#input.focused
  }

  set focused(value: boolean) {
    this.#input.focused = value
  }

  render(width: number): string[] {
    const { theme } = this.#options
    const first = Math.max(0, Math.min(this.#selected - ROWS + 1, this.#found.length - ROWS))
    const rows = this.#found.slice(first, first + ROWS).map((entry, i) => {
      const isSelected = first + i === this.#selected
      const row = truncateToWidth(`${isSelected ? '→ ' : '  '}${describeEntry(entry)}`, width)
      return isSelected ? theme.selected(row) : row
    })
    const none = this.#found.length === 0 ? [theme.dim('  nothing that was typed holds this')] : []
    const hint = theme.dim(truncateToWidth('Ctrl-R older · Ctrl-S newer · Enter takes it · Esc goes back', width))
    return ['', truncateToWidth(theme.bold('Search what was typed before'), width), ...this.#input.render(width), ...rows, ...none, hint]
  }

  handleInput(data: string): void {
    const { onDone } = this.#options
    if (matchesKey(data, 'escape') || matchesKey(data, 'ctrl+g') || matchesKey(data, 'ctrl+c')) return onDone(undefined)
    if (matchesKey(data, 'enter') || matchesKey(data, 'tab')) return onDone(this.#found[this.#selected])
    if (matchesKey(data, 'ctrl+r') || matchesKey(data, 'down')) return this.#step(1)
    if (matchesKey(data, 'ctrl+s') || matchesKey(data, 'up')) return this.#step(-1)
    this.#input.handleInput(data)
    this.#found = searchEntries(this.#options.entries, this.#input.getValue())
    this.#selected = 0
  }

  invalidate(): void {
    this.#input.invalidate()
  }

  #step(by: 1 | -1): void {
    this.#selected = Math.max(0, Math.min(this.#found.length - 1, this.#selected + by))
  }
}

/** The entries that hold all words of the search, in any case unless it has capitals. */
export function searchEntries(entries: readonly string[], search: string): readonly string[] {
  const isExact = /\p{Lu}/u.test(search)
  const words = (isExact ? search : search.toLowerCase()).split(/\s+/).filter(word => word !== '')
  if (words.length === 0) return entries
  return entries.filter(entry => {
    const text = isExact ? entry : entry.toLowerCase()
    return words.every(word => text.includes(word))
  })
}

function describeEntry(entry: string): string {
  const lines = entry.split('\n', 1_001).length
  const first = stripControls(entry.slice(0, 400).trim().replace(/\s+/g, ' '))
  return lines > 1 ? `${first} (${plural(lines, 'line')})` : first
}
