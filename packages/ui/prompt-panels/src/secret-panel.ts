/** Asks for a line in place of the editor without showing it: a dot stands for each character. */

import { CURSOR_MARKER, Input, matchesKey, wrapTextWithAnsi, type Component, type Focusable } from '@earendil-works/pi-tui'
import { stripControls } from '@deepseek-ai/dsh-text'
import type { Theme } from '@deepseek-ai/dsh-terminal-view'

const PASTE_BEGIN = '\u001b[200~'
const PASTE_END = '\u001b[201~'

export interface SecretOptions {
  theme: Theme
  question: string
  /** Undefined when none was given. */
  onAnswer(secret: string | undefined): void
}

export class SecretPanel implements Component, Focusable {
  focused = false
  readonly #options: SecretOptions
  /** Keeps and edits the text; it is never drawn. */
  readonly #field = new Input()

  constructor(options: SecretOptions) {
    this.#options = options
    this.#field.onSubmit = value => options.onAnswer(value)
  }

  render(width: number): string[] {
    const { theme, question } = this.#options
    const { length } = this.#field.getValue()
    const count = length === 0 ? '' : ` ${length} ${length === 1 ? 'character' : 'characters'}`
    const dots = '•'.repeat(Math.max(0, Math.min(length, width - 3 - count.length)))
    return [
      '',
      ...wrapTextWithAnsi(`${theme.warning('?')} ${theme.bold(stripControls(question))}`, width),
      `> ${dots}${this.focused ? `${CURSOR_MARKER}\u001b[7m \u001b[27m` : ' '}${width > count.length + 3 ? theme.dim(count) : ''}`,
      ...wrapTextWithAnsi(theme.dim('It is not shown and not sent to the model · Enter takes it · Ctrl-U empties · Esc goes back'), width),
    ]
  }

  handleInput(data: string): void {
    if (matchesKey(data, 'escape') || matchesKey(data, 'ctrl+c')) return this.#options.onAnswer(undefined)
    this.#field.handleInput(firstLine(data))
  }

  invalidate(): void {
    // Nothing is kept between frames.
  }
}

/** Of a marked paste of several lines the first that holds something: a secret has one. */
function firstLine(data: string): string {
  if (!data.startsWith(PASTE_BEGIN) || !data.endsWith(PASTE_END)) return data
  const lines = data.slice(PASTE_BEGIN.length, -PASTE_END.length).split(/[\r\n]+/)
  return PASTE_BEGIN + (lines.find(line => line.trim() !== '') ?? '') + PASTE_END
}
