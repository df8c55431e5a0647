/**
 * Patterns over one simple command, word by word. Pure.
 *
 *     git diff *      `git diff`, and `git diff` with anything behind it
 *     git diff:*      the same, as other agents write it
 *     npm run lint*   `*` stands for anything, within a word and across words
 *     echo \*         a star itself; everything else is literal
 *
 * Words are separated as a shell separates them, and quotation marks keep
 * blanks together, so that `"a b"` is one word in pattern and command.
 */

/** Between words; no word of a command can hold it. */
const GAP = '\0'

export interface CommandPattern {
  regexp: RegExp
  /** The whole words before the first `*`. */
  prefix: readonly string[]
  /** Commands that it matches: with nothing, and with something, in place of each `*`. */
  samples: readonly (readonly string[])[]
}

/** A piece of a word: literal text, or `*`. */
type Piece = string | typeof STAR
const STAR = Symbol('*')

/** Undefined when a quotation mark is not closed. */
export function readCommandPattern(pattern: string): CommandPattern | undefined {
  const words = split(pattern.trim().replace(/:\*$/, ' *'))
  if (words === undefined) return undefined
  const first = words.findIndex(word => word.includes(STAR))
  const prefix = (first < 0 ? words : words.slice(0, first)).map(word => word.join(''))
  const tail = words.at(-1)
  const isOpen = words.length > 1 && tail?.length === 1 && tail[0] === STAR
  const source = (isOpen ? words.slice(0, -1) : words).map(sourceOf).join(RegExp.escape(GAP))
  const sample = (filling: string): string[] => words.map(word => word.map(piece => (piece === STAR ? filling : piece)).join('')).filter(word => word !== '')
  return { regexp: new RegExp(`^${source}${isOpen ? `(?:${RegExp.escape(GAP)}.*)?` : ''}$`, 's'), prefix, samples: [sample(''), sample('\u0001')] }
}

export function matchesCommand({ regexp }: CommandPattern, words: readonly string[]): boolean {
  return regexp.test(words.join(GAP))
}

function sourceOf(word: readonly Piece[]): string {
  return word.map(piece => (piece === STAR ? '.*' : RegExp.escape(piece))).join('')
}

function split(text: string): Piece[][] | undefined {
  const words: Piece[][] = []
  let word: Piece[] | undefined
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '\\' && quote !== "'" && at + 1 < text.length) (word ??= []).push(text.charAt(++at))
    else if (quote !== '' && char === quote) quote = ''
    else if (quote === '' && (char === '"' || char === "'")) {
      quote = char
      word ??= []
    } else if (quote === '' && /\s/.test(char)) {
      if (word) words.push(word)
      word = undefined
    } else (word ??= []).push(char === '*' ? STAR : char)
  }
  if (quote !== '') return undefined
  if (word) words.push(word)
  return words
}

/** The pattern for exactly these words; `open` lets anything stand behind them. */
export function exactCommand(words: readonly string[], open = false): string {
  const text = words.map(quote).join(' ')
  return open ? `${text} *` : text.replace(/:\\\*$/, String.raw`\:\*`)
}

/** With what the syntax of patterns would take for its own escaped. */
function quote(word: string): string {
  const escaped = word.replace(/[\\*"']/g, '\\$&')
  return word === '' || /\s/.test(word) ? `"${escaped}"` : escaped
}
