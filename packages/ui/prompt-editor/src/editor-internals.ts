/**
 * The parts of the library's editor that it does not show and that ours needs:
 * where the cursor is set, its undo steps, the labels that stand for pastes.
 * The library is pinned to one version, and the specs of this package fail when
 * one of these parts is no longer what it was.
 */

import type { Editor } from '@earendil-works/pi-tui'

export interface EditorState {
  lines: string[]
  cursorLine: number
  cursorCol: number
}

export interface EditorInternals {
  state: EditorState
  /** What labels stand for, by number; a label whose number is here is one unit for the cursor. */
  pastes: Map<number, string>
  pasteCounter: number
  /** -1 while no entry of the history is shown. */
  historyIndex: number
  scrollOffset: number
  /** Columns that the text was last wrapped to. */
  lastWidth: number
  preferredVisualCol: number | null
  lastAction: string | null
  setCursorCol(col: number): void
  pushUndoSnapshot(): void
  undo(): void
  cancelAutocomplete(): void
  segment(text: string, mode: 'grapheme' | 'word'): Iterable<{ segment: string; index: number }>
  /** Called by its keys; ours replace them. */
  expandPasteMarkers(text: string): string
  navigateHistory(direction: 1 | -1): void
}

/** The same object, seen from inside. */
export function internalsOf(editor: Editor): EditorInternals {
  return editor as unknown as EditorInternals
}
