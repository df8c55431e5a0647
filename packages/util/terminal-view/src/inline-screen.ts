/**
 * A terminal's main screen in two parts: lines that are finished scroll up into
 * the terminal's own history and are never touched again; below them a live part
 * is redrawn in place, line by line where it differs.
 *
 * The library's own main-screen renderer keeps everything live, and clears the
 * terminal's history when something above the screen changes or the window is resized.
 */

import { CURSOR_MARKER, setCapabilityOverrides, TuiMainScreen, truncateToWidth, visibleWidth, type Terminal } from '@earendil-works/pi-tui'
import { FreshTerminal } from './fresh-terminal.ts'

export interface InlineScreenOptions {
  /** The terminal moves its cursor down for every line that it wraps when it becomes narrower, also for those below the cursor, as xterm.js 6 does. */
  countsWrapsBelow?: boolean
  /** False: no line carries a style, not even those of the library's own parts. Default: true. */
  hasColor?: boolean
  /** Written when the terminal is taken, and when it is given back, on whatever way. */
  modes?: { enter(): string; leave: string }
}

interface Cursor {
  row: number
  column: number
}

/** Synchronized output: the terminal shows the whole frame at once, or ignores the mark. */
const BEGIN = '\u001b[?2026h'
const END = '\u001b[?2026l'
const RESET = '\u001b[0m'
const CLEAR_BELOW = '\u001b[J'

/** From the beginning of a row: this one and all below. tmux keeps what is cleared from the very first place of the screen on, as history. */
const CLEAR_FROM_ROW = `\u001b[2K\u001b7\u001b[B${CLEAR_BELOW}\u001b8`

/** Sets the keyboard flags and `modifyOtherKeys` to nothing: a program that was killed has left them behind. Those of the library are put above. */
const REPAIR = '\u001b[=0;1u\u001b[>4;0m'

/** Parts are not asked to draw for less: a wide letter and the cursor have to find room, or wrapping has no end. */
const LEAST_WIDTH = 3

/** Blanks at the end of a line, and the styles after them. */
// oxlint-disable-next-line no-control-regex
const BLANK_END = / +((?:\u001b\[[\d;:]*m)*)$/

// oxlint-disable-next-line no-control-regex
const SGR = /\u001b\[[\d;:]*m/g

export class InlineScreen extends TuiMainScreen {
  /** The live lines that the terminal shows. */
  #shown: readonly string[] = []
  /** Where among them its cursor stands. */
  #cursor: Cursor = { row: 0, column: 0 }
  #width = 0
  #height = 0
  /** Rows that were finished since the start: with the live ones, the screen is at least so full. */
  #written = 0
  /** Live lines right above those that are shown, which a terminal that became lower has put into its history. One that becomes higher brings them back. */
  #pushed = 0
  #finished: string[] = []
  /** Whether the terminal is this screen's: before and after, nothing is drawn. */
  #isUp = false

  readonly #countsBelow: boolean
  readonly #hasColor: boolean
  readonly #modes: InlineScreenOptions['modes']

  constructor(terminal: Terminal, { countsWrapsBelow = false, hasColor = true, modes }: InlineScreenOptions = {}) {
    super(terminal, true)
    this.#countsBelow = countsWrapsBelow
    this.#hasColor = hasColor
    this.#modes = modes
    // A link that the terminal hides behind its text could lead anywhere; and to find out whether it can would run a program.
    setCapabilityOverrides({ hyperlinks: false, images: null })
  }

  /** Columns to draw for; on a screen that has fewer, lines are cut. */
  get width(): number {
    return Math.max(LEAST_WIDTH, this.terminal.columns)
  }

  /** Puts lines above the live part, for good. Those wider than the screen are wrapped by the terminal, which unwraps them when it becomes wider. */
  finish(lines: readonly string[]): void {
    this.#finished.push(...lines)
    this.requestRender()
  }

  /** Clears the window, not the terminal's history; the live part is drawn anew at its top. */
  clearAll(): void {
    this.terminal.write('\u001b[2J\u001b[H')
    this.requestRender(true)
  }

  /** Forgets what is shown, for whoever has cleared the screen meanwhile. */
  protected override resetRenderState(): void {
    this.#shown = []
    this.#cursor = { row: 0, column: 0 }
    this.#pushed = 0
  }

  protected override doRender(): void {
    if (this.stopped || !this.#isUp) return
    if (this.terminal instanceof FreshTerminal) this.terminal.refreshSize()
    const { columns, rows } = this.terminal
    const width = Math.max(1, columns)
    const { lines, cursor } = this.#frame(width, Math.max(1, rows))
    const isWhole = this.#finished.length > 0 || width !== this.#width || rows !== this.#height || this.#shown.length === 0
    const body = isWhole ? this.#redraw(lines, width) : this.#update(lines)
    const placed = body.text + move(body.row, cursor.row) + `\u001b[${cursor.column + 1}G`
    const isSame = !isWhole && body.text === '' && cursor.row === this.#cursor.row && cursor.column === this.#cursor.column
    this.#shown = lines
    this.#cursor = cursor
    this.#width = width
    this.#height = rows
    if (isSame) return
    this.terminal.write(`${BEGIN}${placed}${END}`)
    this.terminal.showCursor()
  }

  protected override beforeTerminalStart(): void {
    this.#isUp = true
    this.terminal.write(REPAIR + (this.#modes?.enter() ?? ''))
  }

  /** Takes the live part away, so that what follows stands right below the finished lines. */
  protected override beforeTerminalStop(): void {
    const { text } = this.#redraw([], Math.max(1, this.terminal.columns))
    this.terminal.write(text + (this.#modes?.leave ?? ''))
    this.#isUp = false
    this.resetRenderState()
  }

  /** The process ends without having stopped the screen: what follows stands below the live part. */
  protected override getExitRestorePrefix(): string {
    return `${END}${move(this.#cursor.row, Math.max(0, this.#shown.length - 1))}\r\n${this.#modes?.leave ?? ''}${super.getExitRestorePrefix()}`
  }

  /** The live lines, at most as many as the screen has rows: the last ones. */
  #frame(width: number, height: number): { lines: string[]; cursor: Cursor } {
    const all = this.resolveFakeCursors([...this.render(this.width)])
    const lines = all.slice(-height)
    const row = lines.findLastIndex(line => line.includes(CURSOR_MARKER))
    const marked = lines[row]
    const cursor = marked === undefined ? { row: lines.length - 1, column: 0 } : { row, column: Math.min(width - 1, visibleWidth(marked.slice(0, marked.indexOf(CURSOR_MARKER)))) }
    return { lines: lines.map(line => this.#bound(line.replaceAll(CURSOR_MARKER, ''), width)), cursor: { row: Math.max(0, cursor.row), column: cursor.column } }
  }

  /** A live line never wraps. */
  #bound(line: string, width: number): string {
    return this.#ended(visibleWidth(line) > width ? truncateToWidth(line, width, '…') : line)
  }

  /** The styles of a line end with it; blanks at its end would wrap when the window becomes narrower. */
  #ended(line: string): string {
    const fitting = line.replace(BLANK_END, '$1')
    if (!fitting.includes('\u001b')) return fitting
    return this.#hasColor ? fitting + RESET : fitting.replace(SGR, '')
  }

  /** From the first live line down: what is finished, then the live part. */
  #redraw(lines: readonly string[], width: number): { text: string; row: number } {
    const finished = this.#finished
    this.#finished = []
    const head = this.#shown.length === 0 ? '\r' : `${move(this.#rowsAbove(width) + this.#broughtBack(width), 0)}\r`
    this.#written += finished.reduce((sum, line) => sum + 1 + wraps(line, width), 0)
    if (finished.length > 0) this.#pushed = 0
    const above = finished.map(line => `${this.#ended(line)}\r\n`).join('')
    return { text: `${head}${CLEAR_FROM_ROW}${above}${lines.join('\r\n')}`, row: Math.max(0, lines.length - 1) }
  }

  /**
   * How far above the shown lines the live part begins. A terminal that does not bring anything back
   * shows them from its first row on, and the cursor does not go above that.
   */
  #broughtBack(width: number): number {
    const { rows } = this.terminal
    const pushed = this.#pushed
    // Wrapped anew, these lines may have become more or fewer.
    if (width !== this.#width) this.#pushed = 0
    else if (rows > this.#height) this.#pushed = Math.max(0, pushed - (rows - this.#height))
    // Whatever a terminal does with what is below the cursor, the cursor itself stays on the screen.
    else this.#pushed += Math.max(0, this.#cursor.row - (rows - 1))
    return width === this.#width && rows > this.#height ? pushed : 0
  }

  /** Only the lines that differ; the cursor ends in `row`. */
  #update(lines: readonly string[]): { text: string; row: number } {
    let text = ''
    let row = this.#cursor.row
    const shared = Math.min(lines.length, this.#shown.length)
    for (let i = 0; i < shared; i++) {
      if (lines[i] === this.#shown[i]) continue
      text += `${move(row, i)}\r\u001b[2K${lines[i]}`
      row = i
    }
    if (lines.length > shared) {
      text += move(row, shared - 1) + lines.slice(shared).map(line => `\r\n${line}`).join('')
      row = lines.length - 1
    } else if (this.#shown.length > shared) {
      text += `${move(row, shared - 1)}\r\n${CLEAR_BELOW}${move(shared, shared - 1)}`
      row = shared - 1
    }
    return { text, row }
  }

  /** Rows from the first live line to the cursor. A terminal that became narrower has wrapped what it shows. */
  #rowsAbove(width: number): number {
    const { row, column } = this.#cursor
    if (width >= this.#width) return row
    // A terminal that became lower has dropped its last lines, as long as they stood below the cursor.
    const isFull = this.#written + this.#shown.length >= this.#height
    const dropped = isFull ? Math.max(0, Math.min(this.#height - this.terminal.rows, this.#shown.length - 1 - row)) : 0
    const moved = this.#countsBelow ? this.#shown.slice(0, this.#shown.length - dropped) : this.#shown.slice(0, row)
    const own = this.#countsBelow ? 0 : Math.floor(column / width)
    return Math.min(this.terminal.rows - 1, row + own + moved.reduce((sum, line) => sum + wraps(line, width), 0))
  }
}

/** Rows that a terminal of `width` adds for a line. */
function wraps(line: string, width: number): number {
  return Math.max(0, Math.ceil(visibleWidth(line) / width) - 1)
}

function move(from: number, to: number): string {
  return to < from ? `\u001b[${from - to}A` : to > from ? `\u001b[${to - from}B` : ''
}
