/** Colours program text; the grammar library is loaded when the first text needs it. */

import type { Theme } from './theme.ts'

interface TreeNode {
  type: string
  value?: string
  properties?: { className?: unknown }
  children?: readonly TreeNode[]
}

interface Grammars {
  registered(language: string): boolean
  highlight(language: string, code: string): TreeNode
}

/** Longer text stays plain: to colour it would take longer than to read it. In UTF-16 units. */
const LONGEST = 100_000

export class Highlighter {
  readonly #theme: Theme
  #grammars: Grammars | undefined
  #loading: Promise<void> | undefined
  /** Why the grammars could not be loaded; then text stays plain. */
  failure: unknown

  constructor(theme: Theme) {
    this.#theme = theme
  }

  /** Loads the grammars, once. Never rejects. */
  async load(): Promise<void> {
    if (!this.#theme.hasColor) return
    this.#loading ??= import('lowlight').then(({ createLowlight, common }) => {
      this.#grammars = createLowlight(common) as unknown as Grammars
    }, (error: unknown) => {
      this.failure = error
    })
    await this.#loading
  }

  /** The lines of `code`, coloured when the language is known and its grammar has been loaded. */
  lines(code: string, language: string): string[] {
    const name = language.toLowerCase()
    if (!this.#grammars?.registered(name) || code.length > LONGEST) return code.split('\n')
    const lines = ['']
    this.#write(this.#grammars.highlight(name, code), [], lines)
    return lines
  }

  #write(node: TreeNode, classes: readonly string[], lines: string[]): void {
    if (node.type === 'text') return this.#writeText(node.value ?? '', classes, lines)
    const own = node.properties?.className
    const inner = Array.isArray(own) ? [...classes, ...own.map(name => String(name).replace(/^hljs-/, ''))] : classes
    for (const child of node.children ?? []) this.#write(child, inner, lines)
  }

  /** Styles do not reach over line ends: each line is drawn by itself. */
  #writeText(text: string, classes: readonly string[], lines: string[]): void {
    const style = classes.map(name => this.#theme.token(name)).findLast(each => each !== this.#theme.plain) ?? this.#theme.plain
    const [first = '', ...rest] = text.split('\n')
    lines[lines.length - 1] += style(first)
    for (const line of rest) lines.push(style(line))
  }
}
