/** Draws what a file was and what it becomes: numbered lines, the places of added and removed ones in colour. */

import { wrapTextWithAnsi } from '@earendil-works/pi-tui'
import { structuredPatch } from 'diff'
import { stripControls } from '@deepseek-ai/dsh-text'
import type { Theme } from './theme.ts'

/** A file before and after; `oldText` is null when there was none. */
export interface FileChange {
  path: string
  oldText: string | null
  newText: string
}

export interface DiffOptions {
  width: number
  theme: Theme
  /** More lines than these are counted, not drawn. */
  mostLines: number
}

/** Lines that stay around each change. */
const CONTEXT = 3

/** The library gives up looking for the shortest change after this long; then everything counts as changed. */
const LONGEST_MS = 200

/** The head line with the counts, then the changed places. Control sequences are left out. */
export function renderDiff({ path, oldText, newText }: FileChange, { width, theme, mostLines }: DiffOptions): string[] {
  const patch = structuredPatch(path, path, oldText ?? '', newText, undefined, undefined, { context: CONTEXT, timeout: LONGEST_MS })
  if (!patch) return [theme.dim(`${stripControls(path)}: too much has changed to show it`)]
  const changed = patch.hunks.flatMap(hunk => hunk.lines)
  const added = changed.filter(line => line.startsWith('+')).length
  const removed = changed.filter(line => line.startsWith('-')).length
  const head = `${stripControls(path)} ${theme.added(`+${added}`)} ${theme.removed(`-${removed}`)}${oldText === null ? theme.dim(' new') : ''}`
  const digits = String(Math.max(1, ...patch.hunks.map(hunk => Math.max(hunk.oldStart + hunk.oldLines, hunk.newStart + hunk.newLines)))).length
  const body = patch.hunks.flatMap((hunk, i) => [...(i === 0 ? [] : [theme.dim('⋯')]), ...numbered(hunk, digits, theme)])
  const shown = body.length > mostLines ? [...body.slice(0, mostLines), theme.dim(`… ${body.length - mostLines} more lines`)] : body
  return [head, ...shown].flatMap(line => wrapTextWithAnsi(line, width))
}

function numbered({ oldStart, newStart, lines }: { oldStart: number; newStart: number; lines: string[] }, digits: number, theme: Theme): string[] {
  let before = oldStart
  let after = newStart
  return lines.flatMap(line => {
    const text = stripControls(line.slice(1)).replaceAll('\t', '    ')
    const place = (number: number, mark: string): string => `${String(number).padStart(digits)} ${mark}`
    switch (line[0]) {
      case '+':
        return [`${theme.added(place(after++, '+'))} ${text}`]
      case '-':
        return [`${theme.removed(place(before++, '-'))} ${text}`]
      case '\\': // "No newline at end of file" belongs to the patch format, not to the file
        return []
      default:
        before++
        return [theme.dim(`${place(after++, ' ')} ${text}`)]
    }
  })
}
