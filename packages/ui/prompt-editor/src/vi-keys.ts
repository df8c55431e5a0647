/**
 * vi's keys over a text: insert and normal mode, counts, operators with motions,
 * one register. It holds the mode; the text is given and given back.
 *
 *     h l j k 0 ^ $ w b e gg G   i a I A o O   x X D C s r p P u
 *     d c y  with a motion, or doubled for lines; counts before keys and motions
 */

import { matchesKey } from '@earendil-works/pi-tui'
import { firstWord, lastOf, leftOf, nextWord, rightOf, wordEnd, wordStart, type Place, type Units, type ViText } from './vi-motions.ts'

export type ViOutcome =
  | { kind: 'edit'; lines: string[]; line: number; col: number }
  | { kind: 'move'; line: number; col: number }
  | { kind: 'undo' }
  | { kind: 'history'; direction: 1 | -1 }
  /** A key that was understood and changes nothing, or not yet. */
  | { kind: 'none' }

type Operator = 'd' | 'c' | 'y'

interface Register {
  text: string
  isLines: boolean
}

const NONE: ViOutcome = { kind: 'none' }
const MOST_COUNT = 9_999

export class ViKeys {
  mode: 'insert' | 'normal' = 'insert'
  readonly #units: Units
  #register: Register = { text: '', isLines: false }
  #count = ''
  #operator: { name: Operator; count: number | undefined } | undefined
  /** After `g` or `r`. */
  #prefix: 'g' | 'r' | undefined

  constructor(units: Units) {
    this.#units = units
  }

  /** A command has begun and is not complete. */
  get isWaiting(): boolean {
    return this.#operator !== undefined || this.#prefix !== undefined || this.#count !== ''
  }

  /** What a key does; undefined for those that are not vi's at the moment. */
  key(data: string, text: ViText): ViOutcome | undefined {
    if (matchesKey(data, 'escape')) return this.#escape(text)
    if (this.mode === 'insert') return undefined
    if (data.length !== 1 || data < ' ' || data === '\u007f') {
      this.#reset()
      return matchesKey(data, 'backspace') ? this.#run('h', text) : undefined
    }
    if (this.#prefix === 'r') return this.#replace(data, text)
    if (this.#prefix === 'g') {
      this.#prefix = undefined
      return data === 'g' ? this.#motion({ line: Math.min(this.#takeCount(1), text.lines.length) - 1, col: 0 }, text, { isLines: true }) : this.#cancel()
    }
    if (/[1-9]/.test(data) || (data === '0' && this.#count !== '')) {
      this.#count = String(Math.min(MOST_COUNT, Number(this.#count + data)))
      return NONE
    }
    return this.#run(data, text)
  }

  #escape(text: ViText): ViOutcome | undefined {
    if (this.mode === 'normal') {
      if (!this.isWaiting) return undefined
      return this.#cancel()
    }
    this.mode = 'normal'
    return { kind: 'move', line: text.line, col: leftOf(text.lines[text.line] ?? '', text.col, this.#units) }
  }

  #cancel(): ViOutcome {
    this.#reset()
    return NONE
  }

  #reset(): void {
    this.#count = ''
    this.#operator = undefined
    this.#prefix = undefined
  }

  #takeCount(otherwise: number): number {
    const own = this.#count === '' ? undefined : Number(this.#count)
    this.#count = ''
    const outer = this.#operator?.count
    return own === undefined && outer === undefined ? otherwise : Math.min(MOST_COUNT, (own ?? 1) * (outer ?? 1))
  }

  #run(key: string, text: ViText): ViOutcome {
    if (this.#operator) return this.#runOperator(key, text)
    switch (key) {
      case 'd':
      case 'c':
      case 'y':
        this.#operator = { name: key, count: this.#count === '' ? undefined : Number(this.#count) }
        this.#count = ''
        return NONE
      case 'g':
      case 'r':
        this.#prefix = key
        return NONE
      case 'u':
        this.#reset()
        return { kind: 'undo' }
      default:
        return this.#runMotion(key, text) ?? this.#runInsert(key, text) ?? this.#runChange(key, text) ?? this.#cancel()
    }
  }

  #runOperator(key: string, text: ViText): ViOutcome {
    const name = this.#operator?.name
    if (key === 'g') {
      this.#prefix = 'g'
      return NONE
    }
    if (key !== name) return this.#runMotion(name === 'c' && key === 'w' ? 'e' : key, text) ?? this.#cancel()
    const last = Math.min(text.lines.length, text.line + this.#takeCount(1)) - 1
    return this.#motion({ line: last, col: 0 }, text, { isLines: true })
  }

  #runMotion(key: string, text: ViText): ViOutcome | undefined {
    const line = text.lines[text.line] ?? ''
    const units = this.#units
    switch (key) {
      case 'h':
        return this.#motion(this.#repeat(text, at => ({ line: at.line, col: leftOf(line, at.col, units) })), text)
      case 'l':
      case ' ':
        return this.#motion(this.#repeat(text, at => ({ line: at.line, col: rightOf(line, at.col, units) })), text)
      case '0':
        return this.#motion({ line: text.line, col: 0 }, text)
      case '^':
        return this.#motion({ line: text.line, col: firstWord(line) }, text)
      case '$':
        return this.#motion({ line: text.line, col: line.length }, text)
      case 'w':
        return this.#motion(this.#wordForward(text), text)
      case 'b':
        return this.#motion(this.#repeat(text, at => wordStart({ ...text, ...at }, units)), text)
      case 'e':
        return this.#motion(this.#repeat(text, at => wordEnd({ ...text, ...at }, units)), text, { isInclusive: true })
      case 'j':
      case 'k':
        return this.#vertical(key === 'j' ? 1 : -1, text)
      case 'G':
        return this.#motion({ line: Math.min(this.#takeCount(text.lines.length), text.lines.length) - 1, col: 0 }, text, { isLines: true })
      default:
        return undefined
    }
  }

  #repeat(text: ViText, step: (at: Place) => Place): Place {
    let at: Place = { line: text.line, col: text.col }
    for (let left = this.#takeCount(1); left > 0; left--) at = step(at)
    return at
  }

  /** Under an operator the last word ends with its line. */
  #wordForward(text: ViText): Place {
    const isOperator = this.#operator !== undefined
    const to = this.#repeat(text, at => nextWord({ ...text, ...at }, this.#units))
    return isOperator && to.line > text.line ? { line: text.line, col: (text.lines[text.line] ?? '').length } : to
  }

  #vertical(direction: 1 | -1, text: ViText): ViOutcome {
    const to = text.line + direction * this.#takeCount(1)
    const line = Math.max(0, Math.min(text.lines.length - 1, to))
    if (this.#operator) return this.#motion({ line, col: 0 }, text, { isLines: true })
    return line === text.line ? { kind: 'history', direction } : this.#move({ line, col: text.col }, text)
  }

  /** Goes there, or applies the operator to what lies between. */
  #motion(to: Place, text: ViText, { isLines = false, isInclusive = false } = {}): ViOutcome {
    const operator = this.#operator?.name
    this.#reset()
    if (operator === undefined) return this.#move(to, text)
    if (isLines) return this.#operateLines(operator, text, [Math.min(to.line, text.line), Math.max(to.line, text.line)])
    const isBack = to.line < text.line || (to.line === text.line && to.col < text.col)
    const [from, until] = isBack ? [to, { line: text.line, col: text.col }] : [{ line: text.line, col: text.col }, to]
    const end = isInclusive ? { line: until.line, col: rightOf(text.lines[until.line] ?? '', until.col, this.#units) } : until
    return this.#operate(operator, text, from, end)
  }

  /** The cursor of normal mode stands on a character, not behind the last. */
  #move({ line, col }: Place, { lines }: ViText): ViOutcome {
    const text = lines[line] ?? ''
    const units = this.#units(text)
    return { kind: 'move', line, col: units.findLast(start => start <= Math.min(col, lastOf(text, this.#units))) ?? 0 }
  }

  #operate(operator: Operator, { lines }: ViText, from: Place, to: Place): ViOutcome {
    const first = lines[from.line] ?? ''
    const last = lines[to.line] ?? ''
    const taken = from.line === to.line ? first.slice(from.col, to.col) : [first.slice(from.col), ...lines.slice(from.line + 1, to.line), last.slice(0, to.col)].join('\n')
    this.#register = { text: taken, isLines: false }
    if (operator === 'y') return this.#move(from, { lines, ...from })
    if (operator === 'c') this.mode = 'insert'
    const joined = first.slice(0, from.col) + last.slice(to.col)
    const next = [...lines.slice(0, from.line), joined, ...lines.slice(to.line + 1)]
    return { kind: 'edit', lines: next, line: from.line, col: operator === 'c' ? from.col : Math.min(from.col, lastOf(joined, this.#units)) }
  }

  #operateLines(operator: Operator, { lines, line, col }: ViText, [first, last]: [number, number]): ViOutcome {
    this.#register = { text: lines.slice(first, last + 1).join('\n'), isLines: true }
    if (operator === 'y') return this.#move({ line: first, col: first === line ? col : 0 }, { lines, line, col })
    if (operator === 'c') {
      this.mode = 'insert'
      return { kind: 'edit', lines: [...lines.slice(0, first), '', ...lines.slice(last + 1)], line: first, col: 0 }
    }
    const rest = [...lines.slice(0, first), ...lines.slice(last + 1)]
    const next = rest.length === 0 ? [''] : rest
    const at = Math.min(first, next.length - 1)
    return { kind: 'edit', lines: next, line: at, col: firstWord(next[at] ?? '') }
  }

  /** i a I A o O */
  #runInsert(key: string, { lines, line, col }: ViText): ViOutcome | undefined {
    const text = lines[line] ?? ''
    const places: Readonly<Record<string, number>> = { i: col, a: rightOf(text, col, this.#units), I: firstWord(text), A: text.length }
    const place = places[key]
    if (place === undefined && key !== 'o' && key !== 'O') return undefined
    this.#reset()
    this.mode = 'insert'
    if (place !== undefined) return { kind: 'move', line, col: place }
    const at = key === 'o' ? line + 1 : line
    return { kind: 'edit', lines: lines.toSpliced(at, 0, ''), line: at, col: 0 }
  }

  /** x X s D C p P */
  #runChange(key: string, text: ViText): ViOutcome | undefined {
    const line = text.lines[text.line] ?? ''
    const here = { line: text.line, col: text.col }
    const end = { line: text.line, col: line.length }
    switch (key) {
      case 'x':
      case 's':
        return this.#operate(key === 'x' ? 'd' : 'c', text, here, this.#repeat(text, at => ({ line: at.line, col: rightOf(line, at.col, this.#units) })))
      case 'X':
        return this.#operate('d', text, this.#repeat(text, at => ({ line: at.line, col: leftOf(line, at.col, this.#units) })), here)
      case 'D':
      case 'C':
        this.#reset()
        return this.#operate(key === 'D' ? 'd' : 'c', text, here, end)
      case 'p':
      case 'P':
        return this.#put(key === 'p', text)
      default:
        return undefined
    }
  }

  #put(isAfter: boolean, { lines, line, col }: ViText): ViOutcome {
    const { text, isLines } = this.#register
    const count = this.#takeCount(1)
    if (text === '' && !isLines) return NONE
    if (isLines) {
      const at = isAfter ? line + 1 : line
      const added = Array.from({ length: count }, () => text.split('\n')).flat()
      return { kind: 'edit', lines: lines.toSpliced(at, 0, ...added), line: at, col: firstWord(added[0] ?? '') }
    }
    const own = lines[line] ?? ''
    const at = isAfter ? rightOf(own, col, this.#units) : col
    const added = (own.slice(0, at) + text.repeat(count) + own.slice(at)).split('\n')
    const last = at + text.length * count
    return { kind: 'edit', lines: lines.toSpliced(line, 1, ...added), line, col: text.includes('\n') ? at : leftOf(added[0] ?? '', last, this.#units) }
  }

  #replace(character: string, { lines, line, col }: ViText): ViOutcome {
    const count = this.#takeCount(1)
    this.#reset()
    const own = lines[line] ?? ''
    let end = col
    for (let left = count; left > 0; left--) {
      if (end >= own.length) return NONE
      end = rightOf(own, end, this.#units)
    }
    return { kind: 'edit', lines: lines.with(line, own.slice(0, col) + character.repeat(count) + own.slice(end)), line, col: col + character.length * (count - 1) }
  }
}
