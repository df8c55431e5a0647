/** Draws Markdown as lines of a given width. Its reader takes long to load: import this when something is to be drawn. */

import { Markdown, type MarkdownTheme } from '@earendil-works/pi-tui'
import { stripControls } from '@deepseek-ai/dsh-text'
import type { PartStyle } from './render-part.ts'

/** Blank lines at both ends are left out, and so are control sequences in the text. */
export function drawMarkdown(text: string, width: number, style: PartStyle): string[] {
  const markdown = new Markdown(stripControls(text).trim(), 0, 0, markdownTheme(style), undefined, { preserveOrderedListMarkers: true, renderLatex: false })
  return trimBlank(markdown.render(width))
}

function markdownTheme({ theme, highlighter }: PartStyle): MarkdownTheme {
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
