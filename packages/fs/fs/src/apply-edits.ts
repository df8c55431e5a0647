/** The meaning of an edit: which bytes of a text it replaces, and when it is refused. Pure; the text is never half changed. */

import { plural } from '@deepseek-ai/dsh-text'
import { adaptEndings } from './adapt-endings.ts'
import { FsError } from './errors.ts'
import { explainMiss } from './explain-miss.ts'
import { findMatches, type Found } from './find-matches.ts'
import { hasGutter, stripGutter } from './gutter.ts'
import type { AppliedEdit, FsEditRequest } from './types.ts'

/** More replacements of one edit than this are refused. */
const MOST_MATCHES = 1_000_000
/** So far around a match the file is looked at for numbers of its own, in UTF-16 units. */
const NEIGHBOURHOOD = 2_000
/** This many line numbers of an ambiguous match are named. */
const MOST_NAMED = 8

export interface EditedText {
  text: string
  edits: AppliedEdit[]
}

/**
 * Applies the edits in order, each to what the one before left.
 *
 * The old text must be there exactly once, or with `replaceAll` at least once;
 * matches do not overlap, and replaced text is not searched again. `\n` matches
 * CRLF too, and inserted text takes the line ends of its place, unless the edit
 * itself says CR. Nothing in the new text is interpreted. Throws `FS_EDIT_NOT_FOUND`,
 * `FS_AMBIGUOUS_EDIT`, `FS_INVALID_EDIT`, `FS_LINE_NUMBERS` or `FS_TOO_LARGE`; with more than
 * one edit the message names the one that failed.
 */
export function applyEdits(text: string, requests: readonly FsEditRequest[]): EditedText {
  const edits: AppliedEdit[] = []
  let current = text
  for (const [index, request] of requests.entries()) {
    try {
      const step = applyOne(current, request)
      edits.push(step.edit)
      current = step.text
    } catch (error) {
      throw requests.length > 1 && error instanceof FsError ? locateFailure(error, { text, requests, index }) : error
    }
  }
  return { text: current, edits }
}

interface Failure {
  text: string
  requests: readonly FsEditRequest[]
  index: number
}

function locateFailure(error: FsError, { text, requests, index }: Failure): FsError {
  const request = requests[index]
  const was = error.code === 'FS_EDIT_NOT_FOUND' && request !== undefined && index > 0 && findMatches(text, request.oldString, 1).matches.length > 0
  const why = was ? '. It was there before: an earlier edit of this call changed that part. Edits apply one after the other, so give the old text as the earlier edits leave it, or join the overlapping edits into one.' : ''
  return new FsError(error.code, `edits[${index}] of ${requests.length} failed, so none was applied: ${error.message}${why}`, { cause: error, details: error.details })
}

function applyOne(text: string, request: FsEditRequest): { text: string; edit: AppliedEdit } {
  check(request)
  const { oldString, newString, found } = locate(text, request)
  const { matches } = found
  if (matches.length > MOST_MATCHES) throw new FsError('FS_TOO_LARGE', `the old text is in the file more than ${MOST_MATCHES} times`)
  if (matches.length > 1 && !request.replaceAll) throw ambiguous(text, found)
  const verbatim = newString.includes('\r') ? found.exact : oldString.includes('\r') && found.exact
  const adapts = !verbatim && newString.includes('\n') && (text.includes('\r\n') || newString.includes('\r\n'))
  const pieces: string[] = []
  let from = 0
  for (const match of matches) {
    pieces.push(text.slice(from, match.start), adapts ? adaptEndings(newString, text, match) : newString)
    from = match.end
  }
  pieces.push(text.slice(from))
  return { text: pieces.join(''), edit: { replacements: matches.length, line: lineAt(text, matches[0]?.start ?? 0) } }
}

function check({ oldString, newString }: FsEditRequest): void {
  if (oldString === '') throw new FsError('FS_INVALID_EDIT', 'the old text is empty; to create a file or to set all of its content, use write')
  if (oldString === newString) throw new FsError('FS_INVALID_EDIT', 'the old and the new text are the same, so there is nothing to change')
  if (!newString.isWellFormed()) throw new FsError('FS_INVALID_EDIT', 'the new text holds half of a character (a lone surrogate), which no file can hold')
}

interface Located {
  oldString: string
  newString: string
  found: Found
}

/** Exactly as given first; then without the gutter, when old and new text carry one on every line. */
function locate(text: string, { oldString, newString }: FsEditRequest): Located {
  const found = findMatches(text, oldString, MOST_MATCHES)
  if (found.matches.length > 0) {
    refuseNumbers(text, { oldString, newString, found })
    return { oldString, newString, found }
  }
  const old = stripGutter(oldString)
  const fresh = newString === '' ? { text: '' } : stripGutter(newString)
  if (old?.consecutive && fresh && old.text !== '') {
    const bare = findMatches(text, old.text, MOST_MATCHES)
    if (bare.matches.length > 0) return { oldString: old.text, newString: fresh.text, found: bare }
  }
  throw new FsError('FS_EDIT_NOT_FOUND', explainMiss(text, oldString))
}

/** Line numbers copied from a read must not land in the file; a file that holds such numbers itself stays editable. */
function refuseNumbers(text: string, { oldString, newString, found }: Located): void {
  const fresh = stripGutter(newString)
  const match = found.matches[0]
  if (!fresh?.consecutive || !match || stripGutter(oldString)) return
  const first = lineAt(text, match.start)
  const last = first + oldString.split('\n').length
  const ownNumbers = fresh.first >= first && fresh.first <= last
  if (!ownNumbers && fresh.lines < 2) return
  const before = text.slice(Math.max(0, match.start - NEIGHBOURHOOD), match.start).split('\n').slice(-2)
  const after = text.slice(match.end, match.end + NEIGHBOURHOOD).split('\n').slice(0, 2)
  if ([...before, ...after].some(line => hasGutter(line))) return
  throw new FsError('FS_LINE_NUMBERS', 'the new text begins every line with a line number as the read view shows it; give the text without the numbers')
}

function ambiguous(text: string, { matches }: Found): FsError {
  const named = matches.slice(0, MOST_NAMED).map(({ start }) => lineAt(text, start))
  const rest = matches.length > MOST_NAMED ? ', …' : ''
  return new FsError('FS_AMBIGUOUS_EDIT', `the old text is in the file ${plural(matches.length, 'time')} (lines ${named.join(', ')}${rest}); add lines around it until it is unique, or set replace_all to change all`)
}

/** From 1. */
function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}
