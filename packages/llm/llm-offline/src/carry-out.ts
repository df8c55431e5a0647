/** How each command is carried out: which calls it makes, and how it reports them. Pure. */

import { plural } from '@deepseek-ai/dsh-text'
import { appendTo, replaceIn, writeFile } from './change-file.ts'
import { code, fenced, shorten } from './fence.ts'
import { languageOf } from './languages.ts'
import { renderHelp } from './phrases.ts'
import { beyondRules, call, failed, lacking, make, refused, succeeded, type CarryOut, type Tools } from './progress.ts'
import { isAbsent, readFileText, readPaths, readRun } from './read-result.ts'
import { survey } from './survey.ts'
import type { Command } from '@deepseek-ai/dsh-plain-commands'
import type { Outcome, Progress } from './types.ts'

type Of<K extends Command['kind']> = Extract<Command, { kind: K }>

/** Paths of a listing beyond this are summed up. */
const MOST_LISTED = 100

/** The next calls of a command, or its report. */
export function carryOut(command: Command, rounds: readonly Outcome[][], tools: Tools): Progress {
  switch (command.kind) {
    case 'run': return run(command, rounds, tools)
    case 'read': return read(command, rounds, tools)
    case 'read-readme': return readReadme(command, rounds, tools)
    case 'list': return list(command, rounds, tools)
    case 'search': return search(command, rounds, tools)
    case 'write': return writeFile(command, rounds, tools)
    case 'append': return appendTo(command, rounds, tools)
    case 'replace': return replaceIn(command, rounds, tools)
    case 'todo': return todo(command, rounds, tools)
    case 'fetch': return relay(rounds, tools, { action: `fetch ${command.url}`, tool: 'web_fetch', args: { url: command.url } })
    case 'web-search': return relay(rounds, tools, { action: `search the web for “${shorten(command.query, 80)}”`, tool: 'web_search', args: { query: command.query } })
    case 'delegate': return relay(rounds, tools, { action: 'ask a subagent', tool: 'subagent', args: { description: shorten(command.prompt, 60), prompt: command.prompt } })
    case 'ask': return relay(rounds, tools, { action: 'ask you', tool: 'ask_user', args: { questions: [{ question: command.question }] } })
    case 'help': return succeeded(renderHelp(name => tools.has(name)))
    case 'incomplete': return failed(command.advice)
    case 'survey': return survey(command, rounds, tools)
    case 'beyond': return succeeded(beyondRules(shorten(command.request, 160)))
  }
}

const run: CarryOut<Of<'run'>> = ({ command, background }, [round], tools) => {
  const action = `run ${code(command)}`
  const missing = lacking(tools, action, 'bash')
  if (missing) return missing
  if (background && !hasParameter(tools, 'bash', 'run_in_background')) return failed(`I could not ${action} in the background: the tool \`bash\` has no such option here.`)
  const [outcome] = round ?? []
  if (!outcome) return make(call('bash', { command, ...(background && { run_in_background: true }) }))
  if (outcome.isError) return refused(action, outcome)
  const { output, trouble } = readRun(outcome.text)
  const what = trouble === undefined ? `${code(command)} ${output === '' ? 'ended well and printed nothing.' : 'printed:'}` : `${code(command)} failed (${trouble})${output === '' ? ' and printed nothing.' : ':'}`
  const report = output === '' ? what : `${what}\n\n${fenced(output)}`
  return trouble === undefined ? succeeded(report) : failed(report)
}

function hasParameter(tools: Tools, tool: string, parameter: string): boolean {
  const properties = tools.get(tool)?.parameters.properties
  return typeof properties === 'object' && properties !== null && parameter in properties
}

const read: CarryOut<Of<'read'>> = ({ paths, offset, limit }, [first, search, second], tools) => {
  const missing = lacking(tools, `read ${paths.join(', ')}`, 'read')
  if (missing) return missing
  const window = { ...(offset !== undefined && { offset }), ...(limit !== undefined && { limit }) }
  if (!first) return make(...paths.map(path => call('read', { file_path: path, ...window })))
  const [outcome] = first
  const name = paths[0]?.split('/').at(-1)
  if (first.length > 1 || !outcome || !isAbsent(outcome) || name === undefined || !tools.has('glob')) return report(paths, first)
  // A name without its folder is looked for once.
  if (!search) return make(call('glob', { pattern: `**/${name}`, limit: 5 }))
  const found = search[0]?.isError ? [] : readPaths(search[0]?.text ?? '').paths
  const [only] = found
  if (only === undefined || found.length > 1) return failed(`${reportFile(paths[0] ?? name, outcome)}${found.length > 1 ? ` There are several by that name: ${found.map(code).join(', ')}.` : ''}`)
  return second ? report([only], second) : make(call('read', { file_path: only, ...window }))
}

const readReadme: CarryOut<Of<'read-readme'>> = (_command, [search, second], tools) => {
  const missing = lacking(tools, 'read the readme', 'glob', 'read')
  if (missing) return missing
  if (!search) return make(call('glob', { pattern: '{README*,readme*,Readme*}' }))
  if (search[0]?.isError) return refused('look for the readme', search[0])
  const path = rootFirst(readPaths(search[0]?.text ?? '').paths)[0]
  if (path === undefined) return failed('There is no readme in this folder.')
  return second ? report([path], second) : make(call('read', { file_path: path }))
}

/** Those in the fewest folders first. */
function rootFirst(paths: readonly string[]): string[] {
  return [...paths].sort((a, b) => a.split('/').length - b.split('/').length)
}

function report(paths: readonly string[], outcomes: readonly Outcome[]): Progress {
  const reports = paths.map((path, index) => reportFile(path, outcomes[index]))
  return outcomes.some(({ isError }) => isError) ? failed(reports.join('\n\n')) : succeeded(reports.join('\n\n'))
}

function reportFile(path: string, outcome: Outcome | undefined): string {
  if (!outcome || outcome.isError) {
    const progress = refused(`read ${code(path)}`, outcome ?? { text: '' })
    return progress.kind === 'done' ? progress.report : ''
  }
  const { lines, note, nextOffset } = readFileText(outcome.text)
  if (lines.length === 0) return note === '' || /\bempty\b/.test(note) ? `${code(path)} is empty.` : `${code(path)} has no text to show: ${note}`
  return `${code(path)}:\n\n${fenced(lines.join('\n'), languageOf(path)?.fence)}${nextOffset === undefined ? '' : `\n\n${note}`}`
}

const list: CarryOut<Of<'list'>> = ({ pattern, path }, [round], tools) => {
  const place = path === undefined ? 'this folder' : code(path)
  const everything = pattern === '**/*'
  const missing = lacking(tools, `list the files in ${place}`, 'glob')
  if (missing) return missing
  const [outcome] = round ?? []
  if (!outcome) return make(call('glob', { pattern, ...(path !== undefined && { path }) }))
  if (outcome.isError) return refused(`list the files in ${place}`, outcome)
  const { paths, total, notes } = readPaths(outcome.text)
  if (paths.length === 0) return succeeded(everything ? `There are no files in ${place}.${remark(notes)}` : `No files match ${code(pattern)} in ${place}.${remark(notes)}`)
  const count = plural(total ?? paths.length, 'file')
  const shown = paths.slice(0, MOST_LISTED)
  const rest = (total ?? paths.length) - shown.length
  const head = everything ? `${count} in ${place}:` : `${count} in ${place} ${(total ?? paths.length) === 1 ? 'matches' : 'match'} ${code(pattern)}:`
  return succeeded(`${head}\n\n${fenced(shown.join('\n'))}${rest > 0 ? `\n\n… and ${rest} more.` : ''}`)
}

/** What the tool says besides that there is nothing. */
function remark(notes: readonly string[]): string {
  const others = notes.filter(note => note.trim() !== '' && !/^No (?:files|matches)/i.test(note))
  return others.length === 0 ? '' : ` ${others.join(' ')}`
}

const search: CarryOut<Of<'search'>> = ({ pattern, path, glob, ignoreCase }, [round], tools) => {
  const place = path !== undefined ? code(path) : glob !== undefined ? `files named ${code(glob)}` : 'this folder'
  const action = `search for ${code(pattern)} in ${place}`
  const missing = lacking(tools, action, 'grep')
  if (missing) return missing
  const [outcome] = round ?? []
  if (!outcome) return make(call('grep', { pattern, ...(path !== undefined && { path }), ...(glob !== undefined && { glob }), ...(ignoreCase && { case_insensitive: true }) }))
  if (outcome.isError) return refused(action, outcome)
  const matches = outcome.text.split('\n').filter(line => /^\d+: |^[^\s:][^:]*:\d+:/.test(line)).length
  if (matches === 0 && /^\(?no\b/i.test(outcome.text.trim())) return succeeded(`${code(pattern)} does not occur in ${place}.${remark(outcome.text.trim().split('\n').slice(1))}`)
  return succeeded(`${code(pattern)} in ${place}${matches > 0 ? `: ${plural(matches, 'matching line')}` : ''}\n\n${fenced(outcome.text)}`)
}

const todo: CarryOut<Of<'todo'>> = ({ items }, [round], tools) => {
  const missing = lacking(tools, 'keep a to-do list', 'todo_write')
  if (missing) return missing
  const [outcome] = round ?? []
  if (!outcome) return make(call('todo_write', { todos: items.map(item => ({ ...item })) }))
  if (outcome.isError) return refused('write the to-do list', outcome)
  const marks = { pending: ' ', in_progress: '~', completed: 'x' }
  return succeeded(`The to-do list is now:\n\n${items.map(({ content, status }) => `- [${marks[status]}] ${content}`).join('\n')}`)
}

/** One call whose result is the report. */
function relay([round]: readonly Outcome[][], tools: Tools, { action, tool, args }: { action: string; tool: string; args: Outcome['arguments'] }): Progress {
  const missing = lacking(tools, action, tool)
  if (missing) return missing
  const [outcome] = round ?? []
  if (!outcome) return make(call(tool, args))
  return outcome.isError ? refused(action, outcome) : succeeded(`To ${action} gave:\n\n${fenced(outcome.text)}`)
}
