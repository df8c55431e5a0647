/**
 * Labels that stand for long pastes while a message is edited. Pure.
 *
 *     [paste #1 +123 lines]    [paste #2 4000 chars]
 *
 * A label counts only while its number is known; the same words typed by hand
 * are words.
 */

const LABEL = /\[paste #(\d+)(?: (?:\+\d+ lines|\d+ chars))?\]/g

export interface Label {
  id: number
  start: number
  end: number
}

/** Where the labels with known numbers stand. */
export function findLabels(text: string, isKnown: (id: number) => boolean): Label[] {
  if (!text.includes('[paste #')) return []
  return [...text.matchAll(LABEL)].flatMap(match => (isKnown(Number(match[1])) ? [{ id: Number(match[1]), start: match.index, end: match.index + match[0].length }] : []))
}

/** `text` with every known label replaced by what it stands for, in one pass: a label within a paste stays as it is. */
export function expandLabels(text: string, contentOf: (id: number) => string | undefined): string {
  if (!text.includes('[paste #')) return text
  return text.replace(LABEL, (label: string, id: string) => contentOf(Number(id)) ?? label)
}

/** The label for `content`. */
export function labelFor(id: number, content: string): string {
  const lines = countLines(content)
  return lines > 1 ? `[paste #${id} +${lines} lines]` : `[paste #${id} ${content.length} chars]`
}

/** The first number from `from` on that no words of `text` look like. */
export function freeNumber(text: string, from: number): number {
  let id = from
  while (text.includes(`[paste #${id}]`) || text.includes(`[paste #${id} `)) id++
  return id
}

const MOST_LINES = 10
const MOST_CHARS = 1_000

/** Whether a paste is shown as a label: when it is long, when the editor could not hold it exactly (tabs), or when it could be mistaken for one. */
export function needsLabel(content: string): boolean {
  return content.length > MOST_CHARS || content.includes('\t') || content.includes('[paste #') || countLines(content) > MOST_LINES
}

/** Text from outside as the editor may hold it: line feeds only, no control characters but tabs. */
export function cleanPaste(text: string): string {
  // Some terminals write control characters of a paste as keys with Ctrl.
  // oxlint-disable-next-line no-control-regex
  const decoded = text.includes('\u001b[') ? text.replace(/\u001b\[(\d+);5u/g, (sequence: string, code: string) => (Number(code) === 106 || Number(code) === 109 ? '\n' : sequence)) : text
  // oxlint-disable-next-line no-control-regex
  return decoded.replace(/\r\n?/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
}

/** Longer texts are edited slowly line by line. */
const MOST_LOADED_LINES = 200
const MOST_LOADED_CHARS = 20_000

export interface Piece {
  text: string
  /** To be shown as a label. */
  isFolded: boolean
}

/** How a text that comes back into the editor is shown: as it is, but for lines with tabs, and whole when it is very long. */
export function piecesOf(text: string): Piece[] {
  if (text.length > MOST_LOADED_CHARS || countLines(text) > MOST_LOADED_LINES) return [{ text, isFolded: true }]
  if (!text.includes('\t')) return [{ text, isFolded: false }]
  const pieces: Piece[] = []
  for (const line of text.split('\n')) {
    const isFolded = line.includes('\t')
    const last = pieces.at(-1)
    if (last?.isFolded === isFolded) last.text += `\n${line}`
    else {
      if (last) pieces.push({ text: '\n', isFolded: false })
      pieces.push({ text: line, isFolded })
    }
  }
  return pieces
}

function countLines(text: string): number {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
