/**
 * Writing, appending and replacing, each by the rule that a file is read before
 * it is changed. Pure.
 */

import { plural } from '@deepseek-ai/dsh-text'
import { code, fenced } from './fence.ts'
import { call, failed, lacking, make, refused, succeeded, type CarryOut } from './progress.ts'
import { isAbsent, isUnread, readFileText } from './read-result.ts'
import type { Command } from '@deepseek-ai/dsh-plain-commands'
import type { Outcome, Progress } from './types.ts'

type Of<K extends Command['kind']> = Extract<Command, { kind: K }>

/** Only a file that may be overwritten is read when the policy asks for it, and then written again. */
export const writeFile: CarryOut<Of<'write'>> = ({ path, content, mayOverwrite }, rounds, tools) => {
  const action = `write ${code(path)}`
  const missing = lacking(tools, action, 'write')
  if (missing) return missing
  const write = call('write', { file_path: path, content })
  const [first, second, third] = rounds.map(([outcome]) => outcome)
  if (!first) return make(write)
  if (!first.isError) return written(path, content)
  if (!isUnread(first) || !tools.has('read')) return refused(action, first)
  if (!mayOverwrite) return failed(`${code(path)} exists already, so I did not create it. To replace it, say: write ${path} with content "…".`)
  if (!second) return make(call('read', { file_path: path }))
  if (second.isError) return refused(`read ${code(path)}, which has to be read before it is replaced`, second)
  if (!third) return make(write)
  return third.isError ? refused(action, third) : written(path, content)
}

function written(path: string, content: string): Progress {
  if (content === '') return succeeded(`${code(path)} is now an empty file.`)
  const lines = content.replace(/\n$/, '').split('\n').length
  return succeeded(`${code(path)} now holds ${plural(lines, 'line')}:\n\n${fenced(content)}`)
}

/** A file that was read window by window. */
interface WholeFile {
  /** What came back last. */
  last: Outcome
  text: string
  lines: string[]
  /** What followed the reads. */
  rest: (Outcome | undefined)[]
}

/** Reads to the end of the file: the calls still to be made, or all of it. */
function readWhole(path: string, rounds: readonly Outcome[][]): Progress | WholeFile {
  const lines: string[] = []
  let offset: number | undefined
  for (const [index, [last]] of rounds.entries()) {
    if (!last) break
    const { lines: more, nextOffset } = last.isError ? { lines: [], nextOffset: undefined } : readFileText(last.text)
    lines.push(...more)
    if (nextOffset === undefined || nextOffset <= (offset ?? 1)) return { last, text: lines.join('\n'), lines, rest: rounds.slice(index + 1).map(([outcome]) => outcome) }
    offset = nextOffset
  }
  return make(call('read', { file_path: path, ...(offset !== undefined && { offset }) }))
}

/** Replaces every occurrence: the sentence names no single one. */
export const replaceIn: CarryOut<Of<'replace'>> = ({ path, from, to }, rounds, tools) => {
  const action = `change ${code(path)}`
  const missing = lacking(tools, action, 'read', 'edit')
  if (missing) return missing
  const file = readWhole(path, rounds)
  if ('kind' in file) return file
  if (file.last.isError) return refused(`read ${code(path)}`, file.last)
  const count = file.text.split(from).length - 1
  if (count === 0) return failed(`${code(from)} does not occur in ${code(path)}, so nothing was changed.`)
  const [edited] = file.rest
  if (!edited) return make(call('edit', { file_path: path, old_string: from, new_string: to, ...(count > 1 && { replace_all: true }) }))
  return edited.isError ? refused(action, edited) : succeeded(`In ${code(path)}, ${plural(count, 'occurrence')} of ${code(from)} ${count === 1 ? 'is' : 'are'} now ${to === '' ? 'gone' : code(to)}.`)
}

/**
 * Appends by an edit of the file's last lines, as many as it takes for them to
 * be unique, so that what the view does not show (line ends) stays as it is. A
 * file that is missing or empty is written.
 */
export const appendTo: CarryOut<Of<'append'>> = ({ path, content }, rounds, tools) => {
  const action = `append to ${code(path)}`
  const missing = lacking(tools, action, 'read', 'edit', 'write')
  if (missing) return missing
  const file = readWhole(path, rounds)
  if ('kind' in file) return file
  if (file.last.isError && !isAbsent(file.last)) return refused(`read ${code(path)}`, file.last)
  const [changed] = file.rest
  if (changed) return changed.isError ? refused(action, changed) : succeeded(`Appended to ${code(path)}:\n\n${fenced(content)}`)
  const end = uniqueEnd(file)
  if (end === '') return make(call('write', { file_path: path, content: content.endsWith('\n') ? content : `${content}\n` }))
  return make(call('edit', { file_path: path, old_string: end, new_string: `${end}\n${content.replace(/\n$/, '')}` }))
}

function uniqueEnd({ text, lines }: WholeFile): string {
  let end = ''
  for (let count = 1; count <= lines.length; count++) {
    end = lines.slice(-count).join('\n')
    if (end !== '' && text.indexOf(end) === text.lastIndexOf(end)) return end
  }
  return end
}
