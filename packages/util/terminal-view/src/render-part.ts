/** Draws parts of an answer as lines of a given width. */

import { wrapTextWithAnsi } from '@earendil-works/pi-tui'
import { stripControls } from '@deepseek-ai/dsh-text'
import type { Highlighter } from './highlighter.ts'
import type { MarkdownPart } from './markdown-splitter.ts'
import type { MarkdownView } from './markdown-view.ts'
import type { Theme } from './theme.ts'

const INDENT = '  '

/** What drawing needs besides the text. */
export interface PartStyle {
  theme: Theme
  highlighter: Highlighter
  markdown: MarkdownView
}

/** No line is wider than `width`, which is at least 1; control sequences in the text are left out. */
export function renderPart(part: MarkdownPart, width: number, style: PartStyle): string[] {
  return part.kind === 'text' ? style.markdown.lines(part.text, width, style) : renderCode(part, width, style)
}

function renderCode({ code, language, before }: Extract<MarkdownPart, { kind: 'code' }>, width: number, { highlighter }: PartStyle): string[] {
  const own = stripControls(code).replaceAll('\t', '    ')
  const earlier = before === '' ? '' : `${stripControls(before).replaceAll('\t', '    ')}\n`
  const lines = highlighter.lines(earlier + own, language).slice(earlier === '' ? 0 : earlier.split('\n').length - 1)
  const inner = Math.max(1, width - INDENT.length)
  return lines.flatMap(line => wrapTextWithAnsi(line, inner)).map(line => (width > INDENT.length ? INDENT + line : line))
}
