/**
 * Hides quoted text while a sentence is taken apart. Pure.
 *
 *     write `a b.txt` with "x then y"   →   write <0> with <1>
 *
 * where <n> is the number between two private-use characters. Quotes are
 * fences, back ticks, double, typographic and single quotes; a mark right
 * behind a letter (don't, 5") opens nothing.
 */

export type QuoteStyle = 'fence' | 'tick' | 'double' | 'single'

export interface Quoted {
  style: QuoteStyle
  /** Without the marks. A fence ends with a line break unless it is empty. */
  value: string
  /** As it was written, marks included. */
  raw: string
}

export interface Masked {
  text: string
  quoted: readonly Quoted[]
}

const QUOTES = /```[^\n`]*\n([\s\S]*?)```|``([^`]+)``|`([^`]+)`|(?<!\w)"((?:[^"\\]|\\[\s\S])*)"|“([^”]*)”|(?<!\w)'([^'\n]*)'(?!\w)/g
const MARKS = /[\uE000\uE001]/g
const ONE = /\uE000(\d+)\uE001/g
const WHOLE = /^\uE000(\d+)\uE001$/

/** Source of a pattern that matches one hidden quotation. */
export const QUOTATION = '\\uE000\\d+\\uE001'

export function maskQuotes(text: string): Masked {
  const quoted: Quoted[] = []
  const masked = text.replace(MARKS, '').replace(QUOTES, (raw: string, ...groups: (string | undefined)[]) => {
    const [fence, doubleTick, tick, double, curly, single] = groups
    quoted.push({ raw, ...styled({ fence, tick: doubleTick ?? tick, double: double ?? curly, single }) })
    return `\uE000${quoted.length - 1}\uE001`
  })
  return { text: masked, quoted }
}

function styled({ fence, tick, double, single }: Record<QuoteStyle, string | undefined>): Omit<Quoted, 'raw'> {
  if (fence !== undefined) return { style: 'fence', value: fence === '' || fence.endsWith('\n') ? fence : `${fence}\n` }
  if (tick !== undefined) return { style: 'tick', value: tick.trim() }
  if (double !== undefined) return { style: 'double', value: double.replace(/\\(["\\])/g, '$1') }
  return { style: 'single', value: single ?? '' }
}

/** The quotation that `piece` consists of; undefined when it is anything else. */
export function quotationOf(piece: string, quoted: readonly Quoted[]): Quoted | undefined {
  const index = WHOLE.exec(piece.trim())?.[1]
  return index === undefined ? undefined : quoted[Number(index)]
}

/** Puts every hidden quotation back as it was written. */
export function unmask(text: string, quoted: readonly Quoted[]): string {
  return text.replace(ONE, (hidden, index: string) => quoted[Number(index)]?.raw ?? hidden)
}

/** What `piece` stands for: the inside of a quotation, else its text. */
export function valueOf(piece: string, quoted: readonly Quoted[]): string {
  return quotationOf(piece, quoted)?.value ?? unmask(piece.trim(), quoted)
}
