/**
 * Answers what no rule understands with what the workspace holds: one round that
 * lists files and looks for git's log, one that reads what describes the project
 * and what the request names, then the report. Pure.
 */

import { describeGit, entriesOf, GIT_LOG, MOST_ENTRIES } from './describe-git.ts'
import { code, fenced, shorten } from './fence.ts'
import { countLanguages, languageOf } from './languages.ts'
import { MANIFESTS, readManifest, readReadme, type Manifest } from './manifest.ts'
import { isPathLike, type Command } from '@deepseek-ai/dsh-plain-commands'
import { beyondRules, call, failed, make, succeeded, type CarryOut, type Tools } from './progress.ts'
import { readFileText, readPaths, reasonOf, type PathList } from './read-result.ts'
import type { Outcome, PlannedCall } from './types.ts'

const LISTING = call('glob', { pattern: '**/*', limit: 500 })

/** How long the log is; its end is what the second round reads. */
const LOG_HEAD = call('read', { file_path: GIT_LOG, limit: MOST_ENTRIES })

/** Files and identifiers that the request names, at most. */
const MOST_NAMED = 2

/** Lines of a named file that are shown. */
const EXCERPT = 20

export const survey: CarryOut<Extract<Command, { kind: 'survey' }>> = ({ request }, rounds, tools) => {
  const first = [...(tools.has('glob') ? [LISTING] : []), ...(tools.has('read') ? [LOG_HEAD] : [])]
  const [looked = [], read] = first.length === 0 ? [[], ...rounds] : rounds
  if (first.length > 0 && rounds.length === 0) return make(...first)
  const second = [...logTail(looked), ...closerLook(request, listingOf(looked), tools)]
  if (second.length > 0 && !read) return make(...second)
  const quotation = shorten(request, 160)
  if (looked.length === 0 && second.length === 0) return failed(`I have no tool to look at this folder with, and an answer to ${beyondRules(quotation)}`)
  const found = read ?? []
  return succeeded([...describeFolder(looked), ...describeProject(found), ...describeNamed(found), ...describeHistory(looked, found), advise(quotation, found)].join('\n\n'))
}

function isLog(outcome: Outcome): boolean {
  return pathOf(outcome) === GIT_LOG
}

/** The end of a log that is longer than what the first round saw of it. */
function logTail(looked: readonly Outcome[]): PlannedCall[] {
  const head = looked.find(isLog)
  const total = head && !head.isError ? entriesOf(head) : 0
  return total > MOST_ENTRIES ? [call('read', { file_path: GIT_LOG, offset: total - MOST_ENTRIES + 1, limit: MOST_ENTRIES })] : []
}

function describeHistory(looked: readonly Outcome[], found: readonly Outcome[]): string[] {
  const head = looked.find(isLog)
  return describeGit(found.find(isLog) ?? head, head ? entriesOf(head) : 0)
}

/** Undefined when there was no listing or it failed. */
function listingOf(outcomes: readonly Outcome[]): PathList | undefined {
  const outcome = outcomes.find(({ name }) => name === 'glob')
  return outcome && !outcome.isError ? readPaths(outcome.text) : undefined
}

/** Where the listing is partial or missing, the usual names are tried. */
function closerLook(request: string, listing: PathList | undefined, tools: Tools): PlannedCall[] {
  const known = listing?.paths ?? []
  const isPartial = !listing || (listing.total ?? known.length) > known.length
  const root = known.filter(path => !path.includes('/'))
  const readme = root.find(path => /^readme(?:\.(?:md|markdown|txt|rst))?$/i.test(path)) ?? (isPartial ? 'README.md' : undefined)
  const manifests = MANIFESTS.filter((name, index) => root.includes(name) || (isPartial && index === 0))
  const about = [...(readme === undefined ? [] : [readme]), ...manifests]
  const files = namedFiles(request, known).filter(path => !about.includes(path))
  const words = [...request.matchAll(/`([\w$.-]{3,60})`/g)].map(([, word]) => word ?? '').filter(word => !isPathLike(word))
  return [
    ...(tools.has('read') ? [...about, ...files].map(path => call('read', { file_path: path, ...(files.includes(path) && { limit: EXCERPT }) })) : []),
    ...(tools.has('grep') ? [...new Set(words)].slice(0, MOST_NAMED).map(word => call('grep', { pattern: word.replace(/[$.]/g, '\\$&'), limit: 10 })) : []),
  ]
}

/** Files of the listing that the request names by path, or by a name that only one of them has. */
function namedFiles(request: string, known: readonly string[]): string[] {
  const words = request.split(/[\s`"'“”,;()]+/).map(word => word.replace(/[.:!?]+$/, '').replace(/^\.\//, ''))
  const paths = words.filter(word => isPathLike(word)).flatMap(word => {
    const matches = known.filter(path => path === word || path.endsWith(`/${word}`))
    return matches.includes(word) ? [word] : matches.length === 1 ? matches : []
  })
  return [...new Set(paths)].slice(0, MOST_NAMED)
}

function describeFolder(outcomes: readonly Outcome[]): string[] {
  const outcome = outcomes.find(({ name }) => name === 'glob')
  const listing = listingOf(outcomes)
  if (!outcome) return ['I could not list the files: the tool `glob` is not available here.']
  if (!listing) return [`I could not list the files: ${reasonOf(outcome)}`]
  const { paths, total } = listing
  if (paths.length === 0) return ['This folder is empty, apart from what is hidden or ignored.']
  const isPartial = total !== undefined && total > paths.length
  const count = isPartial ? `about ${total} files; of the ${paths.length} that I was shown:` : `${paths.length} ${paths.length === 1 ? 'file' : 'files'}:`
  return [`This folder holds ${count} ${countLanguages(paths)}.`, `At the top: ${topLevel(paths)}.`]
}

function topLevel(paths: readonly string[]): string {
  const entries = [...new Set(paths.map(path => (path.includes('/') ? `${path.slice(0, path.indexOf('/'))}/` : path)))]
  const sorted = entries.sort((a, b) => Number(b.endsWith('/')) - Number(a.endsWith('/')) || (a < b ? -1 : 1))
  const rest = sorted.length - 20
  return `${sorted.slice(0, 20).map(code).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

function describeProject(found: readonly Outcome[]): string[] {
  const readme = found.find(outcome => /^readme/i.test(pathOf(outcome)) && !outcome.isError)
  const manifests = manifestsIn(found)
  const commands = manifests.flatMap(manifest => manifest.commands)
  return [
    ...(readme ? [describeReadme(readme)] : ['There is no readme that I could read.']),
    ...manifests.map(({ about }) => about),
    ...(commands.length > 0 ? [`Its scripts: ${commands.slice(0, 15).map(code).join(', ')}${commands.length > 15 ? ` and ${commands.length - 15} more` : ''}.`] : []),
  ]
}

function describeReadme(outcome: Outcome): string {
  const { title, opening } = readReadme(readFileText(outcome.text).lines.join('\n'))
  const name = `${code(pathOf(outcome))}${title === undefined ? '' : ` (“${shorten(title, 100)}”)`}`
  return opening === undefined ? `${name} has no opening paragraph.` : `${name} begins: ${opening}`
}

function manifestsIn(found: readonly Outcome[]): Manifest[] {
  return found.flatMap(outcome => {
    if (outcome.isError || !MANIFESTS.includes(pathOf(outcome))) return []
    return readManifest(pathOf(outcome), readFileText(outcome.text).lines.join('\n')) ?? { about: `${code(pathOf(outcome))} is there, but I cannot make sense of it.`, commands: [] }
  })
}

function pathOf({ name, arguments: { file_path: path } }: Outcome): string {
  return name === 'read' && typeof path === 'string' ? path : ''
}

/** What the request named: files by their first lines, identifiers by where they stand. */
function describeNamed(found: readonly Outcome[]): string[] {
  return found.flatMap(outcome => {
    const { name, arguments: args, text, isError } = outcome
    if (name === 'grep') return isError || /^\(?no\b/i.test(text) ? [] : [`${code(String(args.pattern).replace(/\\/g, ''))} occurs here:\n\n${fenced(text)}`]
    if (args.limit === undefined || isError || isLog(outcome)) return []
    const { lines } = readFileText(text)
    return [`${code(pathOf(outcome))} begins:\n\n${fenced(lines.slice(0, EXCERPT).join('\n'), languageOf(pathOf(outcome))?.fence)}`]
  })
}

function advise(quotation: string, found: readonly Outcome[]): string {
  const commands = manifestsIn(found).flatMap(manifest => manifest.commands)
  const check = commands.find(command => /\btest\b/.test(command)) ?? commands[0]
  return `That is what rules can tell; a real answer to ${beyondRules(quotation)} Direct commands I can carry out, for example: ${check === undefined ? '' : `run ${code(check)}, or: `}search for "TODO". Say “help” for more.`
}
