/** The looks of the terminal: 16 colours of the terminal's own palette, legible on dark and light, or none. */

/** Puts a look around text; text must hold no line feed. */
export type Style = (text: string) => string

/** What a part of a screen is; each is drawn by one style. */
export interface Theme {
  readonly hasColor: boolean
  plain: Style
  dim: Style
  bold: Style
  italic: Style
  underline: Style
  strikethrough: Style
  /** What the user should see first. */
  accent: Style
  success: Style
  warning: Style
  error: Style
  added: Style
  removed: Style
  heading: Style
  code: Style
  link: Style
  /** A selected row. */
  selected: Style
  /** The style of a token of program text, by the class that the highlighter gives it. */
  token(name: string): Style
}

const plain: Style = text => text

/** ECMA-48, 8.3.117 (SGR). Neither yellow nor white: they vanish on a light background, and blue on a dark one. */
const RED = 31
const GREEN = 32
const MAGENTA = 35
const CYAN = 36

const TOKENS: Readonly<Record<string, number>> = {
  keyword: MAGENTA, 'selector-tag': MAGENTA, tag: MAGENTA, name: MAGENTA, operator: MAGENTA,
  string: GREEN, regexp: GREEN, addition: GREEN, quote: GREEN,
  number: CYAN, literal: CYAN, type: CYAN, built_in: CYAN, attr: CYAN, attribute: CYAN, variable: CYAN, property: CYAN, symbol: CYAN,
  deletion: RED,
}

/** `color: false` draws everything plain: no control sequence at all. */
export function createTheme({ color }: { color: boolean }): Theme {
  if (!color) {
    const none = { plain, dim: plain, bold: plain, italic: plain, underline: plain, strikethrough: plain, accent: plain, success: plain, warning: plain, error: plain }
    return { hasColor: false, ...none, added: plain, removed: plain, heading: plain, code: plain, link: plain, selected: plain, token: () => plain }
  }
  const dim = sgr(2, 22)
  const bold = sgr(1, 22)
  const foreground = (code: number): Style => sgr(code, 39)
  const cyan = foreground(CYAN)
  return {
    hasColor: true,
    plain,
    dim,
    bold,
    italic: sgr(3, 23),
    underline: sgr(4, 24),
    strikethrough: sgr(9, 29),
    accent: cyan,
    success: foreground(GREEN),
    warning: foreground(MAGENTA),
    error: foreground(RED),
    added: foreground(GREEN),
    removed: foreground(RED),
    heading: text => bold(cyan(text)),
    code: cyan,
    link: sgr(4, 24),
    selected: text => bold(cyan(text)),
    token: name => (name === 'comment' ? dim : name in TOKENS ? foreground(TOKENS[name] ?? 0) : name === 'title' || name === 'section' ? bold : plain),
  }
}

function sgr(on: number, off: number): Style {
  return text => (text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`)
}
