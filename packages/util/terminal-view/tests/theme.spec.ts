/** Every role of the theme, drawn with the palette of xterm, against black, white and both backgrounds of Solarized. */

import { describe, expect, it } from 'vitest'
import { contrast, createTheme, faded, type Rgb, type Style, type Surroundings, type Theme } from '../src/index.ts'

/** The 16 colours of xterm. */
const XTERM: readonly Rgb[] = [
  [0, 0, 0], [205, 0, 0], [0, 205, 0], [205, 205, 0], [0, 0, 238], [205, 0, 205], [0, 205, 205], [229, 229, 229],
  [127, 127, 127], [255, 0, 0], [0, 255, 0], [255, 255, 0], [92, 92, 255], [255, 0, 255], [0, 255, 255], [255, 255, 255],
]

const BLACK: Rgb = [0, 0, 0]
const WHITE: Rgb = [255, 255, 255]
const SOLARIZED_DARK: Rgb = [0, 43, 54]
const SOLARIZED_LIGHT: Rgb = [253, 246, 227]

/** What text without a colour has on it: light grey on dark, black on light. */
function foregroundOn(background: Rgb): Rgb {
  return contrast(background, BLACK) < contrast(background, WHITE) ? (XTERM[7] ?? WHITE) : BLACK
}

/** The colour that reaches the eye. */
function seen(style: Style, background: Rgb): Rgb {
  // oxlint-disable-next-line no-control-regex
  const codes = [...style('x').matchAll(/\u001b\[(\d+)m/g)].map(([, code]) => Number(code)).filter(code => code !== 39)
  const colors = codes.filter(code => (code >= 30 && code < 38) || (code >= 90 && code < 98))
  const index = colors[0]
  const front = index === undefined ? foregroundOn(background) : XTERM[index < 90 ? index - 30 : index - 82]
  if (!front || colors.length > 1) throw new Error(`what is drawn with ${codes.join(', ')}?`)
  return codes.includes(2) ? faded(front, background) : front
}

const MARKS = ['accent', 'success', 'warning', 'error', 'added', 'removed'] as const
const TEXTS = ['plain', 'dim', 'bold', 'italic', 'underline', 'strikethrough', 'heading', 'code', 'link', 'selected'] as const
const TOKENS = ['keyword', 'tag', 'operator', 'string', 'regexp', 'number', 'type', 'built_in', 'attr', 'variable', 'comment', 'title', 'addition', 'deletion', 'params'] as const

function worst(theme: Theme, background: Rgb): Record<string, number> {
  const entries = [
    ...MARKS.map(role => [role, theme[role], 3] as const),
    ...TEXTS.map(role => [role, theme[role], 4.5] as const),
    ...TOKENS.map(name => [`token ${name}`, theme.token(name), 4.5] as const),
  ]
  return Object.fromEntries(entries.map(([role, style, least]) => [role, contrast(seen(style, background), background), least] as const).filter(([, ratio, least]) => ratio < least).map(([role, ratio]) => [role, ratio]))
}

const BACKGROUNDS: Readonly<Record<string, Rgb>> = { black: BLACK, white: WHITE, 'Solarized dark': SOLARIZED_DARK, 'Solarized light': SOLARIZED_LIGHT }

describe('every role can be read, and every mark be seen', () => {
  it.each(Object.entries(BACKGROUNDS))('on %s, where the terminal says what is behind', (_name, background) => {
    expect(worst(createTheme({ color: true, surroundings: () => ({ background }) }), background)).toEqual({})
  })

  it.each(Object.entries(BACKGROUNDS))('on %s, where it does not', (_name, background) => {
    expect(worst(createTheme({ color: true }), background)).toEqual({})
  })

  it.each([['black', 'dark'], ['Solarized dark', 'dark'], ['white', 'light'], ['Solarized light', 'light']] as const)('on %s, where only the environment says that it is %s', (name, backdrop) => {
    expect(worst(createTheme({ color: true, surroundings: () => ({ backdrop }) }), BACKGROUNDS[name] ?? BLACK)).toEqual({})
  })
})

it('draws nothing faint where the terminal’s own colours are close to each other', () => {
  const solarized: Surroundings = { foreground: [131, 148, 150], background: SOLARIZED_DARK }
  expect(createTheme({ color: true, surroundings: () => solarized }).dim('x')).toBe('x')
  expect(createTheme({ color: true, surroundings: () => ({ foreground: WHITE, background: BLACK }) }).dim('x')).toBe('\u001b[2mx\u001b[22m')
})

it('follows what becomes known', () => {
  let known: Surroundings = {}
  const { code } = createTheme({ color: true, surroundings: () => known })
  const before = code('x')
  known = { background: WHITE }
  expect([before, code('x')]).toEqual(['\u001b[1mx\u001b[22m', '\u001b[34mx\u001b[39m'])
})

it('draws everything plain without colours', () => {
  const theme = createTheme({ color: false, surroundings: () => ({ background: WHITE }) })
  for (const style of [...MARKS.map(role => theme[role]), ...TEXTS.map(role => theme[role]), ...TOKENS.map(name => theme.token(name))]) expect(style('x')).toBe('x')
})

it('measures as WCAG does', () => {
  expect([contrast(BLACK, WHITE), contrast(WHITE, WHITE), contrast([119, 119, 119], WHITE)].map(ratio => ratio.toFixed(2))).toEqual(['21.00', '1.00', '4.48'])
})
