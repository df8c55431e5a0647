/** Where a message is written: the library's editor with exact pastes, a history that lasts, vi keys, and what it shows of its mode. */

import { Editor, getKeybindings, matchesKey, visibleWidth, type EditorTheme, type TUI } from '@earendil-works/pi-tui'
import type { PromptHistory } from '@deepseek-ai/dsh-prompt-history'
import { internalsOf, type EditorInternals, type EditorState } from './editor-internals.ts'
import { HistoryWalk, type PromptDraft } from './history-walk.ts'
import { narrowUnits } from './narrow-units.ts'
import { cleanPaste, expandLabels, findLabels, freeNumber, labelFor, needsLabel, piecesOf } from './paste-labels.ts'
import { ViKeys, type ViOutcome } from './vi-keys.ts'

export interface PromptEditorOptions {
  theme: EditorTheme
  history: PromptHistory
  keys: 'emacs' | 'vi'
  /** Of the border in shell mode. */
  shellBorder(text: string): string
}

/** What the editor asks of the screen around it. */
export interface EditorActions {
  /** `?` where nothing is typed. */
  help(): void
  /** Ctrl-G and Ctrl-X Ctrl-E. */
  openExternally(): void
  /** Ctrl-R. */
  searchHistory(): void
  /** Ctrl-V. */
  pasteImage(): void
  /** A paste that is one line: true when somebody has taken it as something else than text. */
  takePaste(text: string): boolean
}

const PASTE_BEGIN = '\u001b[200~'
const PASTE_END = '\u001b[201~'

export class PromptEditor extends Editor {
  actions: EditorActions | undefined
  readonly #inside: EditorInternals
  readonly #options: PromptEditorOptions
  readonly #walk = new HistoryWalk()
  readonly #vi: ViKeys | undefined
  /** What labels stand for, by a name that is never used again: undo brings labels back. */
  readonly #pasted = new Map<string, string>()
  #nextPaste = 1
  #isAfterCtrlX = false
  #wasPrivate = false

  constructor(tui: TUI, options: PromptEditorOptions) {
    super(tui, options.theme, { autocompleteMaxVisible: 8 })
    this.#options = options
    this.#inside = internalsOf(this)
    this.#inside.expandPasteMarkers = text => this.#expand(text)
    this.#inside.navigateHistory = direction => this.#navigate(direction)
    const segment = this.#inside.segment.bind(this)
    this.#inside.segment = (text, mode) => (mode === 'word' ? segment(text, mode) : narrowUnits(segment(text, mode), this.#inside.lastWidth))
    if (options.keys === 'vi') this.#vi = new ViKeys(line => [...this.#inside.segment(line, 'grapheme')].map(({ index }) => index))
  }

  /** Whether what is typed is for the shell. */
  get isShell(): boolean {
    return this.getLines()[0]?.startsWith('!') === true
  }

  /** Whether what was sent last began with a blank: it is not to be remembered. */
  get wasPrivate(): boolean {
    return this.#wasPrivate
  }

  /** Esc means something to the editor itself. */
  get wantsEscape(): boolean {
    return this.isShowingAutocomplete() || this.#vi?.mode === 'insert' || this.#vi?.isWaiting === true
  }

  /** Replaces what is typed by a text that comes back, exactly. */
  load(text: string): void {
    this.#walk.leave()
    this.setText('')
    for (const piece of piecesOf(cleanPaste(text))) {
      if (piece.isFolded) this.#insertLabel(piece.text)
      else this.insertTextAtCursor(piece.text)
    }
  }

  /** What is typed, exactly; the editor is empty afterwards. */
  take(): string {
    const text = this.getExpandedText()
    this.setText('')
    return text
  }

  override handleInput(data: string): void {
    const kb = getKeybindings()
    if (data.startsWith(PASTE_BEGIN) && data.endsWith(PASTE_END)) return this.#paste(data.slice(PASTE_BEGIN.length, -PASTE_END.length))
    if (this.#vi && this.#handleVi(this.#vi, data)) return
    if (this.#handleAction(data)) return
    if (kb.matches(data, 'tui.editor.deleteCharBackward') && this.#deleteLabel()) return
    const before = this.#labelCount()
    super.handleInput(data)
    if (this.#vi && kb.matches(data, 'tui.input.submit') && this.getText() === '') this.#vi.mode = 'insert'
    // The library says so when what is shown has been edited.
    if (this.#inside.historyIndex < 0) this.#walk.leave()
    if (data.length < 5 && !data.startsWith('\u001b') && data >= ' ' && this.#labelCount() > before) this.#keepTypedLabel()
  }

  /** Without the blanks at the ends of lines: a terminal that draws a character wider than we think must not wrap. */
  override render(width: number): string[] {
    return super.render(width).map(line => line.replace(/ +$/, ''))
  }

  protected override renderTopBorder(width: number, hiddenLineCount: number): string {
    const marks = [this.isShell ? 'shell' : '', this.#vi ? (this.#vi.mode === 'normal' ? 'NORMAL' : 'INSERT') : ''].filter(mark => mark !== '')
    this.borderColor = this.isShell ? this.#options.shellBorder : this.#options.theme.borderColor
    if (marks.length === 0 || hiddenLineCount > 0) return super.renderTopBorder(width, hiddenLineCount)
    const label = `── ${marks.join(' · ')} `
    return visibleWidth(label) < width ? this.borderColor(label + '─'.repeat(width - visibleWidth(label))) : super.renderTopBorder(width, hiddenLineCount)
  }

  #handleAction(data: string): boolean {
    const { actions } = this
    if (!actions) return false
    const wasAfterCtrlX = this.#isAfterCtrlX
    this.#isAfterCtrlX = matchesKey(data, 'ctrl+x')
    if (this.#isAfterCtrlX) return true
    if (matchesKey(data, 'ctrl+g') || (wasAfterCtrlX && matchesKey(data, 'ctrl+e'))) return this.#done(() => actions.openExternally())
    if (matchesKey(data, 'ctrl+r')) return this.#done(() => actions.searchHistory())
    if (matchesKey(data, 'ctrl+v')) return this.#done(() => actions.pasteImage())
    if (data === '?' && this.getText() === '') return this.#done(() => actions.help())
    return false
  }

  #done(work: () => void): true {
    work()
    return true
  }

  #paste(raw: string): void {
    const text = cleanPaste(raw)
    if (text === '' || (!text.includes('\n') && this.actions?.takePaste(text))) return
    this.#walk.leave()
    this.#inside.cancelAutocomplete()
    if (needsLabel(text)) this.#insertLabel(text)
    else this.insertTextAtCursor(text)
    this.#inside.historyIndex = -1
  }

  #insertLabel(content: string): void {
    const inside = this.#inside
    const id = freeNumber(this.getText(), inside.pasteCounter + 1)
    const name = `paste ${this.#nextPaste++}`
    this.#pasted.set(name, content)
    // The undo step comes first: undone, the label is not known any more.
    this.insertTextAtCursor(labelFor(id, content))
    inside.pasteCounter = id
    inside.pastes.set(id, name)
  }

  #contentOf(id: number): string | undefined {
    const name = this.#inside.pastes.get(id)
    return name === undefined ? undefined : this.#pasted.get(name)
  }

  #expand(text: string): string {
    const whole = expandLabels(text, id => this.#contentOf(id))
    this.#wasPrivate = /^\s/.test(whole)
    return whole
  }

  #labelCount(): number {
    return this.#inside.pastes.size === 0 ? 0 : findLabels(this.getText(), id => this.#inside.pastes.has(id)).length
  }

  /** The label before the cursor goes as a whole. The library would number the others anew, and with them words that only look like labels. */
  #deleteLabel(): boolean {
    const inside = this.#inside
    const { lines, cursorLine, cursorCol } = inside.state
    const line = lines[cursorLine] ?? ''
    const label = findLabels(line, id => inside.pastes.has(id)).find(({ end }) => end === cursorCol)
    if (!label) return false
    this.#edit({ lines: lines.with(cursorLine, line.slice(0, label.start) + line.slice(label.end)), cursorLine, cursorCol: label.start })
    return true
  }

  /** The user has typed the words of a label: the paste that it would stand for gets another number. */
  #keepTypedLabel(): void {
    const inside = this.#inside
    const { lines, cursorLine, cursorCol } = inside.state
    const typed = findLabels(lines[cursorLine] ?? '', id => inside.pastes.has(id)).find(({ start, end }) => start < cursorCol && cursorCol <= end)
    if (!typed) return
    const name = inside.pastes.get(typed.id)
    const id = freeNumber(this.getText(), inside.pasteCounter + 1)
    inside.state.lines = lines.map((line, i) => {
      const others = findLabels(line, each => each === typed.id).filter(({ start }) => i !== cursorLine || start !== typed.start)
      return others.reduceRight((rest, { start }) => rest.slice(0, start) + rest.slice(start).replace(`[paste #${typed.id}`, `[paste #${id}`), line)
    })
    inside.pastes.delete(typed.id)
    if (name !== undefined) inside.pastes.set(id, name)
    inside.pasteCounter = id
  }

  #edit(state: EditorState): void {
    const inside = this.#inside
    inside.pushUndoSnapshot()
    inside.lastAction = null
    inside.state = { lines: [...state.lines], cursorLine: state.cursorLine, cursorCol: state.cursorCol }
    inside.setCursorCol(state.cursorCol)
    this.#walk.leave()
    inside.cancelAutocomplete()
    this.onChange?.(this.getText())
  }

  #navigate(direction: 1 | -1): void {
    const walk = this.#walk
    const found = direction === -1 ? walk.older(() => this.#options.history.entries, () => this.#draft()) : walk.newer()
    if (found === undefined) return
    if (typeof found === 'string') this.#show(found, direction === -1 ? 'start' : 'end')
    else this.#restore(found)
    this.#inside.historyIndex = walk.isWalking ? 0 : -1
  }

  #show(text: string, place: 'start' | 'end'): void {
    const inside = this.#inside
    inside.pastes.clear()
    inside.state = { lines: [''], cursorLine: 0, cursorCol: 0 }
    inside.scrollOffset = 0
    for (const piece of piecesOf(text)) {
      if (piece.isFolded) this.#insertLabel(piece.text)
      else this.insertTextAtCursor(piece.text)
    }
    if (place === 'start') {
      inside.state.cursorLine = 0
      inside.setCursorCol(0)
    }
  }

  #draft(): PromptDraft {
    const { state, pastes } = this.#inside
    return { text: this.getText(), cursorLine: state.cursorLine, cursorCol: state.cursorCol, pastes: new Map(pastes) }
  }

  #restore({ text, cursorLine, cursorCol, pastes }: PromptDraft): void {
    const inside = this.#inside
    inside.state = { lines: text.split('\n'), cursorLine, cursorCol }
    inside.pastes = pastes
    inside.setCursorCol(cursorCol)
    inside.scrollOffset = 0
    this.#walk.leave()
    this.onChange?.(this.getText())
  }

  #handleVi(vi: ViKeys, data: string): boolean {
    if (this.isShowingAutocomplete() && matchesKey(data, 'escape')) return false
    const { lines, cursorLine, cursorCol } = this.#inside.state
    const outcome = vi.key(data, { lines, line: cursorLine, col: cursorCol })
    if (!outcome) return false
    this.#applyVi(outcome)
    return true
  }

  #applyVi(outcome: ViOutcome): void {
    const inside = this.#inside
    if (outcome.kind === 'edit') this.#edit({ lines: outcome.lines, cursorLine: outcome.line, cursorCol: outcome.col })
    else if (outcome.kind === 'undo') inside.undo()
    else if (outcome.kind === 'history') this.#navigate(outcome.direction)
    else if (outcome.kind === 'move') {
      inside.state.cursorLine = outcome.line
      inside.setCursorCol(outcome.col)
      inside.lastAction = null
    }
  }
}
