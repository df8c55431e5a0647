/**
 * The terminal's own foreground and background, asked for when the terminal is taken. Nobody waits
 * for the answer: what is drawn before it comes is drawn so that it can be read on anything.
 *
 *     → ESC ] 10 ; ? ST   ESC ] 11 ; ? ST
 *     ← ESC ] 11 ; rgb:0000/2b2b/3636 ST, or BEL in place of ST
 */

import type { Rgb } from './contrast.ts'
import type { Surroundings } from './theme.ts'

/** Terminals without a window; some of them print what they do not know. */
const MUTE = /^(?:linux|cons|vt\d|dumb|ansi)/

// oxlint-disable-next-line no-control-regex
const REPLY = /^\u001b\](1[01]);([^\u0007\u001b]*)(?:\u0007|\u001b\\)$/

export class TerminalColors {
  /** What to write to ask. */
  readonly query: string
  readonly #onChange: () => void
  #known: Surroundings

  /** `onChange`: something is known that was not. */
  constructor(env: NodeJS.ProcessEnv, { isAsked, onChange }: { isAsked: boolean; onChange: () => void }) {
    this.query = isAsked && !MUTE.test(env['TERM'] ?? 'dumb') ? '\u001b]10;?\u001b\\\u001b]11;?\u001b\\' : ''
    this.#onChange = onChange
    this.#known = readHint(env['COLORFGBG'])
  }

  get surroundings(): Surroundings {
    return this.#known
  }

  /** True when the input was an answer, which is not for anybody else. */
  take(input: string): boolean {
    const [, which, value = ''] = REPLY.exec(input) ?? []
    if (which === undefined) return false
    const rgb = readColor(value)
    if (rgb) {
      this.#known = { ...this.#known, [which === '10' ? 'foreground' : 'background']: rgb }
      this.#onChange()
    }
    return true
  }
}

/** `COLORFGBG`, which some terminals set: the number of the foreground, perhaps of something else, and of the background. */
function readHint(value: string | undefined): Surroundings {
  const number = /;(\d{1,2})$/.exec(value ?? '')?.[1]
  if (number === undefined || Number(number) > 15) return {}
  const isLight = Number(number) === 7 || Number(number) > 8
  return { backdrop: isLight ? 'light' : 'dark' }
}

/** `rgb:RRRR/GGGG/BBBB` with one to four digits, or `rgba:` with a fourth part, as XParseColor has it. */
function readColor(value: string): Rgb | undefined {
  const parts = /^rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})(?:\/[0-9a-f]{1,4})?$/i.exec(value)?.slice(1, 4)
  const [red, green, blue] = parts?.map(part => Math.round((255 * Number.parseInt(part, 16)) / (16 ** part.length - 1))) ?? []
  return red === undefined || green === undefined || blue === undefined ? undefined : [red, green, blue]
}
