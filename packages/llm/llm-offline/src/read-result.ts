/**
 * Reads what the tools answer. Pure and tolerant: text of another shape is
 * taken as it is.
 *
 *     read   … <content>        glob   src/a.ts            bash   out
 *            1: first line             src/b.ts                   [stderr]
 *            2: second line                                       err
 *            (a footer)                (a note)                   [exit code: 1]
 *            </content>
 */

import type { Outcome } from './types.ts'

export interface FileText {
  lines: string[]
  /** The line after the last one shown, when there are more. */
  nextOffset?: number
  /** Which part of the file this is, in the tool's words. */
  note: string
}

const NUMBERED = /^\s*(\d+)(?:: ?|\t)(.*)$/

export function readFileText(text: string): FileText {
  const inside = /<content>\n?([\s\S]*?)(?:\n?<\/content>([\s\S]*))?$/.exec(text)
  const rows = (inside?.[1] ?? text).split('\n')
  const numbered = rows.findLastIndex(row => NUMBERED.test(row))
  if (numbered < 0 && !inside) return { lines: rows, note: '' }
  const lines = rows.slice(0, numbered + 1).flatMap(row => NUMBERED.exec(row)?.[2] ?? [])
  const note = [...rows.slice(numbered + 1), inside?.[2] ?? ''].join('\n').replace(/<\/?\w+>/g, '').trim()
  const next = /offset[ =:`]*(\d+)/i.exec(note)?.[1]
  return { lines, note, ...(next !== undefined && { nextOffset: Number(next) }) }
}

export interface PathList {
  paths: string[]
  /** How many there are when not all are shown. */
  total?: number
  /** Said in addition, without brackets. */
  notes: string[]
}

export function readPaths(text: string): PathList {
  const [body = '', ...rest] = text.trim().split(/\n\s*\n/)
  const rows = body.split('\n').filter(row => row.trim() !== '')
  const isNote = (row: string): boolean => /^\(|^No (?:files|matches)\b/i.test(row)
  const notes = [...rows.filter(isNote), ...rest.flatMap(part => part.split('\n'))].map(note => note.replace(/^\((.*)\)$/, '$1'))
  const total = /\bof (?:at least )?(\d+) files?\b/.exec(notes.join('\n'))?.[1]
  return { paths: rows.filter(row => !isNote(row)).map(row => row.replace(/^\.\//, '')), notes, ...(total !== undefined && { total: Number(total) }) }
}

export interface RunEnd {
  output: string
  /** How it ended, unless it ended well. */
  trouble?: string
}

export function readRun(text: string): RunEnd {
  const lines = text.trimEnd().split('\n')
  let end = lines.length
  while (end > 0 && /^\[(?:exit code|timed out|killed by|a process is|ran in|signal)\b.*\]$/.test(lines[end - 1] ?? '')) end--
  const notes = lines.slice(end).map(line => line.slice(1, -1))
  const trouble = notes.filter(note => /^(?:exit code: [1-9]|timed out|killed|signal)/.test(note)).join(', ')
  const output = lines.slice(0, end).join('\n')
  return { output: output === '(no output)' ? '' : output, ...(trouble !== '' && { trouble }) }
}

/** A failed call's message without its "Error:", as the end of a sentence. */
export function reasonOf({ text }: Pick<Outcome, 'text'>): string {
  const reason = text.trim().replace(/^(?:Error:\s*)+/i, '').trim()
  if (reason === '') return 'the tool gave no reason.'
  return /[.!?)\]`]$/.test(reason) ? reason : `${reason}.`
}

/** Whether a failure says that a file is not there. */
export function isAbsent({ text, isError }: Outcome): boolean {
  return isError && /not found|no such file|does not exist|nothing (?:is )?(?:at|there)|no file\b/i.test(text)
}

/** Whether a failure says that a file has to be read before it may be replaced. */
export function isUnread({ text, isError }: Outcome): boolean {
  return isError && /\bread\b(?!-only)/i.test(text) && /first|before|without|not been read|has not|unread/i.test(text)
}
