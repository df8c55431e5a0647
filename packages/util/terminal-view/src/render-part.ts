/** Draws parts of an answer as lines of a given width. */

import { Markdown, wrapTextWithAnsi, type MarkdownTheme } from '@earendil-works/pi-tui'
import { stripControls } from '@deepseek-ai/dsh-text'
import type { Highlighter } from './highlighter.ts'
import type { MarkdownPart } from './markdown-splitter.ts'
import type { Theme } from './theme.ts'

const INDENT = '  '

/** What drawing needs besides the text. */
export interface PartStyle {
  theme: Theme
  highlighter: Highlighter
}

/** No line is wider than `width`, which is at least 1; control sequences in the text are left out. */
export function renderPart(part: MarkdownPart, width: number, style: PartStyle): string[] {
  return part.kind === 'text' ? renderMarkdown(part.text, width, style) : renderCode(part, width, style)
}

export function renderMarkdown(text: string, width: number, style: PartStyle): string[] {
  const markdown = new Markdown(stripControls(text).trim(), 0, 0, markdownTheme(style), undefined, { preserveOrderedListMarkers: true, renderLatex: false })
  return trimBlank(markdown.render(width))
}

function renderCode({ code, language, before }: Extract<MarkdownPart, { kind: 'code' }>, width: number, { highlighter }: PartStyle): string[] {
  const own = stripControls(code).replaceAll('\t', '    ')
  const earlier = before === '' ? '' : `${stripControls(before).replaceAll('\t', '    ')}\n`
  const lines = highlighter.lines(earlier + own, language).slice(earlier === '' ? 0 : earlier.split('\n').length - 1)
  const inner = Math.max(1, width - INDENT.length)
  return lines.flatMap(line => wrapTextWithAnsi(line, inner)).map(line => (width > INDENT.length ? INDENT + line : line))
}

/** How pi-tui draws Markdown with our styles. */
export function markdownTheme({ theme, highlighter }: PartStyle): MarkdownTheme {
  return {
    heading: theme.heading,
    link: theme.link,
    linkUrl: theme.dim,
    code: theme.code,
    codeBlock: theme.plain,
    codeBlockBorder: theme.dim,
    quote: theme.italic,
    quoteBorder: theme.dim,
    hr: theme.dim,
    listBullet: theme.accent,
    bold: theme.bold,
    italic: theme.italic,
    strikethrough: theme.strikethrough,
    underline: theme.underline,
    highlightCode: (code, language = '') => highlighter.lines(code, language),
  }
}

function trimBlank(lines: readonly string[]): string[] {
  const isBlank = (line: string): boolean => line.trim() === ''
  const first = lines.findIndex(line => !isBlank(line))
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex(line => !isBlank(line)) + 1)
}
