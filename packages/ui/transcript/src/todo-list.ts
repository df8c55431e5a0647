/** The model's list of what is to be done, as it is now: live above the editor, one line when all of it is done. */

import { truncateToWidth, type Component } from '@earendil-works/pi-tui'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import type { Theme } from '@deepseek-ai/dsh-terminal-view'
import { stripControls } from '@deepseek-ai/dsh-text'

type Status = 'pending' | 'in_progress' | 'completed'

interface Todo {
  content: string
  status: Status
}

/** More items than these are counted, not shown; the window begins before the first one that is open. */
const MOST_ITEMS = 6

const STATES: ReadonlySet<unknown> = new Set<Status>(['pending', 'in_progress', 'completed'])

export class TodoList implements Component {
  readonly #theme: Theme
  #todos: readonly Todo[] = []

  constructor(theme: Theme, events: readonly SessionEvent[]) {
    this.#theme = theme
    const last = events.findLast(event => (event.type as string) === 'todo/write')
    if (last) this.advance(last)
    if (this.#isDone) this.#todos = []
  }

  advance(event: SessionEvent): void {
    if (event.type === 'turn/start' && this.#isDone) this.#todos = []
    else this.#todos = readTodos(event) ?? this.#todos
  }

  render(width: number): string[] {
    if (this.#todos.length === 0) return []
    const { dim, success } = this.#theme
    const done = this.#todos.filter(({ status }) => status === 'completed').length
    if (this.#isDone) return ['', this.#fit(`${success('✓')} ${dim(`to do: all ${done} done`)}`, width)]
    const open = this.#todos.findIndex(({ status }) => status !== 'completed')
    const from = Math.max(0, Math.min(open - 1, this.#todos.length - MOST_ITEMS))
    const shown = this.#todos.slice(from, from + MOST_ITEMS)
    const more = this.#todos.length - from - shown.length
    return ['', dim(`to do: ${done} of ${this.#todos.length} done`), ...shown.map(each => this.#item(each)), ...(more > 0 ? [dim(`  … ${more} more`)] : [])].map(line => this.#fit(line, width))
  }

  invalidate(): void {
    // Nothing is kept between frames.
  }

  get #isDone(): boolean {
    return this.#todos.length > 0 && this.#todos.every(({ status }) => status === 'completed')
  }

  #item({ content, status }: Todo): string {
    const { accent, bold, dim, success } = this.#theme
    const text = stripControls(content).replace(/\s+/g, ' ')
    switch (status) {
      case 'completed':
        return `  ${success('✓')} ${dim(text)}`
      case 'in_progress':
        return `  ${accent('▸')} ${bold(text)}`
      case 'pending':
        return `  ☐ ${text}`
    }
  }

  #fit(line: string, width: number): string {
    return truncateToWidth(line, Math.max(1, width), '…')
  }
}

/** Undefined for other events. The event belongs to a feature that need not be there, so its shape is checked here. */
function readTodos(event: SessionEvent): Todo[] | undefined {
  const { type, data } = event as { type: string; data: unknown }
  if (type !== 'todo/write') return undefined
  const { todos } = (data ?? {}) as { todos?: unknown }
  if (!Array.isArray(todos)) return undefined
  return todos.flatMap((each: unknown) => {
    const { content, status } = (each ?? {}) as Record<string, unknown>
    return typeof content === 'string' && STATES.has(status) ? [{ content, status: status as Status }] : []
  })
}
