/**
 * Which of the terminal's own 16 colours a part of a screen gets, by what is behind it. Pure.
 *
 * No colour of the standard palette is legible as text (4.5 to 1) on black and on white alike, and
 * only magenta, bright red and bright blue can be seen as marks (3 to 1) on both. So text has a
 * colour only where the background is known. Bright colours but red are avoided: some palettes,
 * such as Solarized, hold greys there.
 */

/** What is behind the text; `unknown` where the terminal does not say. */
export type Backdrop = 'dark' | 'light' | 'unknown'

/** Signs and lines, which need to be seen and not read. */
export type Mark = 'accent' | 'success' | 'warning' | 'error' | 'added' | 'removed'

/** What is read. */
export type ColoredText = 'heading' | 'code' | 'selected' | 'keyword' | 'string' | 'value' | 'insertion' | 'deletion'

/** ECMA-48, 8.3.117 (SGR), and the bright ones of aixterm. */
const RED = 31
const GREEN = 32
const YELLOW = 33
const BLUE = 34
const MAGENTA = 35
const CYAN = 36
const BRIGHT_RED = 91
const BRIGHT_MAGENTA = 95

/** Undefined: the terminal's own foreground, in bold. */
export const PALETTES: Readonly<Record<Backdrop, Readonly<Record<Mark | ColoredText, number | undefined>>>> = {
  dark: {
    accent: CYAN, success: GREEN, warning: YELLOW, error: BRIGHT_RED, added: GREEN, removed: BRIGHT_RED,
    heading: CYAN, code: CYAN, selected: CYAN, keyword: YELLOW, string: GREEN, value: CYAN, insertion: GREEN, deletion: BRIGHT_MAGENTA,
  },
  light: {
    accent: BLUE, success: BLUE, warning: MAGENTA, error: RED, added: BLUE, removed: RED,
    heading: BLUE, code: BLUE, selected: BLUE, keyword: BLUE, string: RED, value: BLUE, insertion: BLUE, deletion: RED,
  },
  unknown: {
    accent: MAGENTA, success: undefined, warning: MAGENTA, error: BRIGHT_RED, added: undefined, removed: BRIGHT_RED,
    heading: undefined, code: undefined, selected: undefined, keyword: undefined, string: undefined, value: undefined, insertion: undefined, deletion: undefined,
  },
}
