/** A terminal for the library that writes into an emulator, whose screen and history a test can read. */

import type { Terminal } from '@earendil-works/pi-tui'
import headless from '@xterm/headless'

export interface Emulated {
  terminal: Terminal
  /** Keys as a terminal sends them. */
  type(keys: string): void
  resize(columns: number, rows: number): void
  /** History and screen, blanks at the ends of lines left out, down to the last line with something on it. */
  lines(): Promise<string[]>
  /** Row and column of the cursor on the screen, from 0. */
  cursor(): Promise<[row: number, column: number]>
  readonly written: string
}

function settle(emulator: headless.Terminal): Promise<void> {
  return new Promise(resolve => emulator.write('', resolve))
}

export function emulate(columns = 20, rows = 6): Emulated {
  const emulator = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 1000 })
  let size = { columns: emulator.cols, rows: emulator.rows }
  let onInput = (_data: string): void => undefined
  let onResize = (): void => undefined
  let written = ''
  const write = (data: string): void => {
    written += data
    emulator.write(data)
  }
  const terminal: Terminal = {
    start(input, resized) {
      onInput = input
      onResize = resized
    },
    stop: () => undefined,
    drainInput: async () => undefined,
    write,
    get columns() {
      return size.columns
    },
    get rows() {
      return size.rows
    },
    kittyProtocolActive: false,
    moveBy: lines => write(lines < 0 ? `\u001b[${-lines}A` : lines > 0 ? `\u001b[${lines}B` : ''),
    hideCursor: () => write('\u001b[?25l'),
    showCursor: () => write('\u001b[?25h'),
    clearLine: () => write('\u001b[2K'),
    clearFromCursor: () => write('\u001b[J'),
    clearScreen: () => write('\u001b[2J\u001b[H'),
    setTitle: () => undefined,
    setProgress: () => undefined,
    setProgramStatus: () => undefined,
  }
  return {
    terminal,
    type: keys => onInput(keys),
    resize(newColumns, newRows) {
      size = { columns: newColumns, rows: newRows }
      // What was written before is drawn at the old size, as it was meant.
      emulator.write('', () => emulator.resize(newColumns, newRows))
      onResize()
    },
    async lines() {
      await settle(emulator)
      const { active } = emulator.buffer
      const lines = Array.from({ length: active.length }, (_, i) => active.getLine(i)?.translateToString(true) ?? '')
      return lines.slice(0, lines.findLastIndex(line => line !== '') + 1)
    },
    async cursor() {
      await settle(emulator)
      const { cursorY, cursorX } = emulator.buffer.active
      return [cursorY, cursorX]
    },
    get written() {
      return written
    },
  }
}
