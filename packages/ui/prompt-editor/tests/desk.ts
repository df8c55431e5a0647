/** An editor on an emulated screen: keys in, text, cursor and lines out. */

import { TuiMainScreen, type Terminal } from '@earendil-works/pi-tui'
import headless from '@xterm/headless'
import { PromptHistory } from '@deepseek-ai/dsh-prompt-history'
import { PromptEditor, type EditorActions } from '../src/index.ts'

export interface Desk {
  editor: PromptEditor
  history: PromptHistory
  sent: string[]
  asked: string[]
  /** Each string is one key, as a terminal sends it. */
  keys(...keys: string[]): void
  type(text: string): void
  paste(text: string): void
  /** The text with `|` at the cursor. */
  readonly marked: string
  lines(): Promise<string[]>
  /** Row and column of the terminal's own cursor, from 0. */
  cursor(): Promise<[row: number, column: number]>
  stop(): void
}

export const UP = '\u001b[A'
export const DOWN = '\u001b[B'
export const RIGHT = '\u001b[C'
export const LEFT = '\u001b[D'
export const ENTER = '\r'
export const ESC = '\u001b'
export const BACKSPACE = '\u007f'
export const UNDO = '\u001f'
export const ctrl = (letter: string): string => String.fromCharCode(letter.charCodeAt(0) - 96)

export interface DeskOptions {
  keys?: 'emacs' | 'vi'
  columns?: number
  history?: readonly string[]
}

export async function openDesk({ keys = 'emacs', columns = 40, history: before = [] }: DeskOptions = {}): Promise<Desk> {
  const emulator = new headless.Terminal({ cols: columns, rows: 16, allowProposedApi: true })
  const history = new PromptHistory()
  let now = 0
  for (const text of before) await new Promise<void>(resolve => setTimeout(resolve, ++now)).then(() => history.add(text))
  const screen = new TuiMainScreen(terminalOf(emulator), true)
  const plain = (text: string): string => text
  const editor = new PromptEditor(screen, {
    history,
    keys,
    shellBorder: plain,
    theme: { borderColor: plain, selectList: { selectedPrefix: plain, selectedText: plain, description: plain, scrollInfo: plain, noMatch: plain } },
  })
  const asked: string[] = []
  const note = (what: string) => (): void => void asked.push(what)
  editor.actions = { help: note('help'), openExternally: note('external'), searchHistory: note('search'), pasteImage: note('image'), takePaste: text => text.endsWith('.png') && asked.push(text) > 0 } satisfies EditorActions
  const sent: string[] = []
  editor.onSubmit = text => void sent.push(text)
  screen.addChild(editor)
  screen.setFocus(editor)
  screen.start()
  const drawn = async (): Promise<void> => {
    screen.requestRender()
    await new Promise(resolve => setTimeout(resolve, 40))
    await new Promise<void>(resolve => emulator.write('', resolve))
  }
  const each = (list: Iterable<string>): void => {
    for (const key of list) editor.handleInput(key)
  }
  return {
    editor,
    history,
    sent,
    asked,
    keys: (...list) => each(list),
    type: text => each(text),
    paste: text => editor.handleInput(`\u001b[200~${text}\u001b[201~`),
    get marked() {
      const { line, col } = editor.getCursor()
      const lines = editor.getLines()
      return lines.map((text, i) => (i === line ? `${text.slice(0, col)}|${text.slice(col)}` : text)).join('\n')
    },
    async lines() {
      await drawn()
      const { active } = emulator.buffer
      const lines = Array.from({ length: active.length }, (_, i) => active.getLine(i)?.translateToString(true) ?? '')
      return lines.slice(0, lines.findLastIndex(line => line !== '') + 1)
    },
    async cursor() {
      await drawn()
      return [emulator.buffer.active.cursorY, emulator.buffer.active.cursorX]
    },
    stop: () => screen.stop(),
  }
}

function terminalOf(emulator: headless.Terminal): Terminal {
  const write = (data: string): void => emulator.write(data)
  const nothing = (): void => undefined
  return {
    start: nothing,
    stop: nothing,
    drainInput: async () => undefined,
    write,
    columns: emulator.cols,
    rows: emulator.rows,
    kittyProtocolActive: false,
    moveBy: lines => write(lines < 0 ? `\u001b[${-lines}A` : lines > 0 ? `\u001b[${lines}B` : ''),
    hideCursor: nothing,
    showCursor: nothing,
    clearLine: () => write('\u001b[2K'),
    clearFromCursor: () => write('\u001b[J'),
    clearScreen: () => write('\u001b[2J\u001b[H'),
    setTitle: nothing,
    setProgress: nothing,
    setProgramStatus: nothing,
  }
}
