/** What the model reads of a grep. Pure, stable text: a file's name, its lines, a blank line. */

import { plural } from '@deepseek-ai/dsh-text'

export interface ShownLine {
  /** As results name it. */
  path: string
  line: number
  isMatch: boolean
  text: string
  /** Bytes of the line that are not in `text`, with a `+` when there may be more. */
  before?: string
  after?: string
  /** `text` is the start of the line: where the match is in it is not known. */
  isUnlocated?: boolean
}

export interface GrepView {
  lines: readonly ShownLine[]
  /** Matching lines that were found, shown or not. */
  matches: number
  /** Whether the search went through everything. */
  complete: boolean
  /** What to say when there is nothing. */
  empty: string
  /** Sentences for the end. */
  notes: readonly string[]
}

export interface GrepText {
  text: string
  /** Matching lines in `text`. */
  shown: number
}

/** Ends at the line that would make it longer than `most`. */
export function renderGrep(view: GrepView, most: number): GrepText {
  const out: string[] = []
  let length = 0
  let shown = 0
  let previous: ShownLine | undefined
  for (const line of view.lines) {
    const text = [...lead(previous, line), renderLine(line)].join('\n')
    if (length + text.length > most) break
    out.push(text)
    length += text.length + 1
    shown += line.isMatch ? 1 : 0
    previous = line
  }
  const notes = [...summary(view, shown), ...view.notes]
  const body = view.lines.length === 0 ? [view.empty] : out
  return { text: [...body, ...(notes.length > 0 ? ['', ...notes] : [])].join('\n'), shown }
}

/** Gaps are marked only where context is shown, because there every group but whole files ends in context. */
function lead(previous: ShownLine | undefined, { path, line, isMatch }: ShownLine): string[] {
  if (previous?.path !== path) return previous ? ['', path] : [path]
  return line > previous.line + 1 && !(isMatch && previous.isMatch) ? ['--'] : []
}

function renderLine({ line, isMatch, text, before, after, isUnlocated }: ShownLine): string {
  const head = before === undefined ? '' : `[${before} bytes]…`
  const tail = after === undefined ? '' : `…[${after} bytes${isUnlocated ? ', the match may be among them' : ''}]`
  return `${line}${isMatch ? ':' : '-'} ${head}${text}${tail}`
}

function summary({ matches, complete }: GrepView, shown: number): string[] {
  const left = matches - shown
  if (left === 0) return []
  const most = complete ? '' : 'at least '
  return [`(truncated: ${plural(shown, 'matching line')} shown, ${most}${left} more; narrow the pattern, the path or the glob, or raise limit)`]
}
