/** Where vi's motions lead. Pure. Columns are UTF-16 offsets at the beginning of a unit: a grapheme, or a label. */

export interface ViText {
  lines: readonly string[]
  line: number
  col: number
}

/** The offsets at which the units of a line begin. */
export type Units = (line: string) => readonly number[]

export interface Place {
  line: number
  col: number
}

type Kind = 'blank' | 'word' | 'other'

function kindOf(line: string, col: number): Kind {
  const character = String.fromCodePoint(line.codePointAt(col) ?? 32)
  return /\s/u.test(character) ? 'blank' : /[\p{L}\p{N}_]/u.test(character) ? 'word' : 'other'
}

export function rightOf(line: string, col: number, units: Units): number {
  return units(line).find(start => start > col) ?? line.length
}

export function leftOf(line: string, col: number, units: Units): number {
  return units(line).findLast(start => start < col) ?? 0
}

/** The last place on which the cursor of normal mode stands. */
export function lastOf(line: string, units: Units): number {
  return units(line).at(-1) ?? 0
}

/** `w`: the beginning of the next word, in the next lines too; the end of the text when there is none. */
export function nextWord({ lines, line, col }: ViText, units: Units): Place {
  const text = lines[line] ?? ''
  const kind = col < text.length ? kindOf(text, col) : 'blank'
  let at = col
  while (at < text.length && kind !== 'blank' && kindOf(text, at) === kind) at = rightOf(text, at, units)
  for (let row = line; row < lines.length; row++) {
    const current = lines[row] ?? ''
    if (row > line) at = 0
    while (at < current.length && kindOf(current, at) === 'blank') at = rightOf(current, at, units)
    if (at < current.length || (row > line && current === '')) return { line: row, col: at }
  }
  return { line: lines.length - 1, col: (lines.at(-1) ?? '').length }
}

/** `e`: the last character of this word, or of the next when the cursor stands there. */
export function wordEnd({ lines, line, col }: ViText, units: Units): Place {
  let row = line
  let at = rightOf(lines[line] ?? '', col, units)
  for (; row < lines.length; row++, at = 0) {
    const text = lines[row] ?? ''
    while (at < text.length && kindOf(text, at) === 'blank') at = rightOf(text, at, units)
    if (at >= text.length) continue
    const kind = kindOf(text, at)
    for (let next = rightOf(text, at, units); next < text.length && kindOf(text, next) === kind; next = rightOf(text, next, units)) at = next
    return { line: row, col: at }
  }
  return { line: lines.length - 1, col: lastOf(lines.at(-1) ?? '', units) }
}

/** `b`: the beginning of this word, or of the one before. */
export function wordStart({ lines, line, col }: ViText, units: Units): Place {
  let at = col
  for (let row = line; row >= 0; row--) {
    const text = lines[row] ?? ''
    if (row < line) at = text.length
    while (at > 0 && kindOf(text, leftOf(text, at, units)) === 'blank') at = leftOf(text, at, units)
    if (at === 0) {
      if (row < line && text === '') return { line: row, col: 0 }
      continue
    }
    const kind = kindOf(text, leftOf(text, at, units))
    while (at > 0 && kindOf(text, leftOf(text, at, units)) === kind) at = leftOf(text, at, units)
    return { line: row, col: at }
  }
  return { line: 0, col: 0 }
}

/** `^`: the first character that is no blank. */
export function firstWord(line: string): number {
  const at = line.search(/\S/)
  return at < 0 ? 0 : at
}
