/** The looks of the terminal: 16 colours of the terminal's own palette, legible on what is behind them, or none. */

import { contrast, faded, type Rgb } from './contrast.ts'
import { PALETTES, type Backdrop, type ColoredText, type Mark } from './palettes.ts'

/** Puts a look around text; text must hold no line feed. */
export type Style = (text: string) => string

/** What a part of a screen is; each is drawn by one style. */
export interface Theme extends Readonly<Record<Mark, Style>> {
  readonly hasColor: boolean
  plain: Style
  dim: Style
  bold: Style
  italic: Style
  underline: Style
  strikethrough: Style
  heading: Style
  code: Style
  link: Style
  /** A selected row. */
  selected: Style
  /** The style of a token of program text, by the class that the highlighter gives it. */
  token(name: string): Style
}

/** What the terminal says of itself; asked for with each text, for it may say so late. */
export interface Surroundings {
  background?: Rgb | undefined
  foreground?: Rgb | undefined
  /** Where the colours are not known, but which kind they are of. */
  backdrop?: Backdrop
}

export interface ThemeOptions {
  /** False draws everything plain: no control sequence at all. */
  color: boolean
  /** Another object whenever something has changed. Default: nothing is known. */
  surroundings?(): Surroundings
}

/** Text below it is hard to read. */
const LEAST_CONTRAST = 4.5

const plain: Style = text => text

const NOTHING: Readonly<Surroundings> = {}

const TOKENS: Readonly<Record<string, ColoredText>> = {
  keyword: 'keyword', 'selector-tag': 'keyword', tag: 'keyword', name: 'keyword', operator: 'keyword',
  string: 'string', regexp: 'string', quote: 'string',
  number: 'value', literal: 'value', type: 'value', built_in: 'value', attr: 'value', attribute: 'value', variable: 'value', property: 'value', symbol: 'value',
  addition: 'insertion', deletion: 'deletion',
}

const dim = sgr(2, 22)
const bold = sgr(1, 22)

export function createTheme({ color, surroundings = () => NOTHING }: ThemeOptions): Theme {
  if (!color) return { hasColor: false, dim: plain, bold: plain, italic: plain, underline: plain, strikethrough: plain, link: plain, ...PLAIN, token: () => plain }
  const look = lookOf(surroundings)
  const colored = (role: Mark | ColoredText): Style => text => {
    const code = PALETTES[look().backdrop][role]
    return code === undefined ? bold(text) : sgr(code, 39)(text)
  }
  const strong = (role: ColoredText): Style => text => {
    const code = PALETTES[look().backdrop][role]
    return bold(code === undefined ? text : sgr(code, 39)(text))
  }
  const faint: Style = text => (look().fades ? dim(text) : text)
  return {
    hasColor: true,
    plain,
    dim: faint,
    bold,
    italic: sgr(3, 23),
    underline: sgr(4, 24),
    strikethrough: sgr(9, 29),
    accent: colored('accent'),
    success: colored('success'),
    warning: colored('warning'),
    error: colored('error'),
    added: colored('added'),
    removed: colored('removed'),
    heading: strong('heading'),
    code: colored('code'),
    link: sgr(4, 24),
    selected: strong('selected'),
    token: name => tokenStyle(name, look().backdrop, faint),
  }
}

const PLAIN = { plain, accent: plain, success: plain, warning: plain, error: plain, added: plain, removed: plain, heading: plain, code: plain, selected: plain }

interface Look {
  backdrop: Backdrop
  /** Faint text can still be read. */
  fades: boolean
}

/** Worked out once for each answer of the terminal: texts are many. `surroundings` gives another object when they are others. */
function lookOf(surroundings: () => Surroundings): () => Look {
  let known: Surroundings | undefined
  let look: Look = { backdrop: 'unknown', fades: true }
  return () => {
    const now = surroundings()
    if (now !== known) look = { backdrop: backdropOf(now), fades: fades(now) }
    known = now
    return look
  }
}

/** Where nothing has a colour, only what structures the text stands out. */
function tokenStyle(name: string, backdrop: Backdrop, faint: Style): Style {
  if (name === 'comment') return faint
  if (name === 'title' || name === 'section') return bold
  const role = TOKENS[name]
  if (role === undefined) return plain
  const code = PALETTES[backdrop][role]
  return code !== undefined ? sgr(code, 39) : role === 'keyword' ? bold : plain
}

/** On which side of the middle a background is. */
function backdropOf({ background, backdrop = 'unknown' }: Surroundings): Backdrop {
  if (!background) return backdrop
  return contrast(background, [255, 255, 255]) >= contrast(background, [0, 0, 0]) ? 'dark' : 'light'
}

/** Whether faint text can still be read: where the terminal's own colours are close, it is drawn as any other. */
function fades({ foreground, background }: Surroundings): boolean {
  return !foreground || !background || contrast(faded(foreground, background), background) >= LEAST_CONTRAST
}

function sgr(on: number, off: number): Style {
  return text => (text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`)
}
