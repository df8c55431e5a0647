/** Judges the files that one command of a line reads and writes, as far as the line tells. */

import { isAbsolute } from 'node:path'
import type { FileSystem } from '@deepseek-ai/dsh-fs'
import type { ShellWord } from '@deepseek-ai/dsh-shell-syntax'
import { exactPattern } from '@deepseek-ai/dsh-permission-patterns'
import { expandPattern, isPattern } from './expand-pattern.ts'
import { isUnresolvable, namesOfAny, ruleOnFile, ruleOnSecret } from './judge-file.ts'
import { expand, type LineCommand } from './line-commands.ts'
import type { RuleBook } from './rule-book.ts'
import type { PermissionMode, Place, Ruling } from './types.ts'

export interface FileWorld {
  fs: FileSystem | undefined
  /** Why a change of the file needs a permission in every mode. */
  whyProtected(path: string, place: Place): Promise<string | undefined>
}

export interface FileContext extends FileWorld {
  book: RuleBook
  mode: PermissionMode
  place: Place
}

/** Files that take anything and keep nothing. Not other open files: on Linux such a name opens the file behind it anew. */
const SINKS: ReadonlySet<string> = new Set(['/dev/null', '/dev/zero', '/dev/stdout', '/dev/stderr', '/dev/fd/1', '/dev/fd/2', '/dev/full'])

/** Programs that show names and not contents, or that print their arguments. */
const LOOKS_AT_NAMES: ReadonlySet<string> = new Set(
  ['ls', 'dir', 'tree', 'stat', 'find', 'fd', 'test', '[', '[[', 'echo', 'printf', 'basename', 'dirname', 'realpath', 'readlink', 'which', 'type', 'command', 'du', 'df', 'cd', 'pwd', 'true', 'false', 'env', 'export'],
)

/** The environment of a process whose number is only known when the line runs: `/proc/$PPID/environ`. */
const ENVIRON = /^.*[$`].*\/environ$/s

/** A word that the running shell turns into more than file names. */
const COMPUTED = /[$`]/

/** What is said of every file that the command writes or names; nothing where nothing is. */
export async function judgeFiles(each: LineCommand, context: FileContext): Promise<Ruling[]> {
  const { command, known } = each
  const redirected = command.redirections.filter(({ writes }) => writes).map(({ target }) => target)
  const unknown = context.mode !== 'auto' && (redirected.some(isComputed) || known.writesUnknown === true)
  const named = (known.writes ?? []).filter(path => !redirected.some(({ text }) => text === path))
  const rulings: (Ruling | undefined)[] = unknown ? [{ verdict: 'ask', reason: 'which file it writes is only known when it runs', remember: [] }] : []
  for (const target of redirected) {
    if (isComputed(target)) continue
    for (const path of await expandAll(target, each, context)) rulings.push(await judgeWrite(path, { each, context, isRedirection: true }))
  }
  // Which of the words it writes is not known where one of them stands for several.
  const doubtful = known.writesUnknown ? command.words.slice(1).filter(word => !word.known && !isComputed(word)) : []
  for (const word of doubtful) for (const path of await expandAll(word, each, context)) rulings.push(await judgeWrite(path, { each, context, isRedirection: false }))
  for (const path of named) rulings.push(await judgeWrite(path.startsWith('~/') ? expand({ text: path, tilde: true }, context.place.home) : path, { each, context, isRedirection: false }))
  for (const { text, known: isLiteral } of readsOf(each, context.place.home)) {
    rulings.push(await judgeRead(text, each, context))
    for (const path of isLiteral || !isPattern(text) ? [] : await expandAll({ text, known: false }, each, context)) rulings.push(await judgeRead(path, each, context))
  }
  return rulings.filter(ruling => ruling !== undefined)
}

/** The word as the names that it may stand for, in every directory in which the command may run. */
async function expandAll(word: Pick<ShellWord, 'text' | 'known' | 'tilde'>, each: LineCommand, { fs, place }: FileContext): Promise<string[]> {
  const path = expand(word, place.home)
  if (word.known || !isPattern(path)) return [path]
  const found = await Promise.all(each.directories.map(cwd => expandPattern(fs, path, { ...place, cwd })))
  return [...new Set(found.flat())]
}

function isComputed({ known, source }: ShellWord): boolean {
  return !known && COMPUTED.test(source)
}

/** Whether the command writes any file at all, sinks apart. */
export function writesFiles({ command, known }: LineCommand): boolean {
  return known.writesUnknown === true || (known.writes ?? []).some(path => !SINKS.has(path)) || command.redirections.some(({ writes, target }) => writes && !isSink(target.text))
}

function isSink(path: string): boolean {
  return SINKS.has(path)
}

interface Write {
  each: LineCommand
  context: FileContext
  isRedirection: boolean
}

async function judgeWrite(path: string, write: Write): Promise<Ruling | undefined> {
  try {
    return await judgeResolvedWrite(path, write)
  } catch (error) {
    if (!isUnresolvable(error, write.context.place)) throw error
    return { verdict: 'ask', reason: 'which file it writes cannot be found out', remember: [] }
  }
}

async function judgeResolvedWrite(path: string, { each, context, isRedirection }: Write): Promise<Ruling | undefined> {
  const { book, mode, place, fs, whyProtected } = context
  // Nothing can be opened under an empty name, nor under one with a NUL.
  if (isSink(path) || path === '' || path.includes('\0')) return undefined
  if (each.strays && !isAbsolute(path)) return { verdict: 'ask', reason: `it writes ${path} in a directory that is only known when it runs`, remember: [] }
  for (const cwd of each.directories) {
    const here = { ...place, cwd }
    const names = await namesOfAny(fs, path, here)
    const ruled = await ruleOnFile(book, { tool: 'write', path }, names, here)
    if (ruled && ruled.verdict !== 'allow') return ruled
    const why = await whyProtected(path, here)
    if (why !== undefined) return { verdict: 'ask', reason: `it writes ${path}, and ${why}`, remember: [] }
    if (isRedirection && mode === 'ask' && !ruled) return { verdict: 'ask', reason: `it writes ${path}`, remember: names.real.map(real => `write(${exactPattern(real, place.workspace)})`) }
  }
  return undefined
}

/** Every word that may name a file, and what the command takes its input from. */
function readsOf({ command }: LineCommand, home: string): Pick<ShellWord, 'text' | 'known'>[] {
  const inputs = command.redirections.filter(({ operator }) => operator === '<' || operator === '<>').map(({ target }) => target)
  return [...command.words.slice(1), ...inputs].flatMap(word => {
    if (word.text === '') return []
    if (isComputed(word)) return ENVIRON.test(word.text) ? [{ text: '/proc/self/environ', known: true }] : []
    const path = expand(word, home)
    const value = /^-[^=]*=(.+)$/s.exec(path)?.[1]
    return value !== undefined ? [{ text: value, known: word.known }] : path.startsWith('-') ? [] : [{ text: path, known: word.known }]
  })
}

async function judgeRead(path: string, each: LineCommand, { book, place, fs }: FileContext): Promise<Ruling | undefined> {
  if (path.includes('\0')) return undefined
  for (const cwd of each.directories) {
    const here = { ...place, cwd }
    const names = await namesOfAny(fs, path, here)
    // Whether it is a directory, and all of it is read, the line does not tell.
    const ruled = await ruleOnFile(book, { tool: 'grep', path }, names, here)
    const isOnName = ruled?.rule !== undefined && !ruled.rule.text.includes('(')
    if (ruled?.verdict === 'allow') continue
    if (ruled && !isOnName) return ruled
    const secret = each.known.class === 'harmless' && !LOOKS_AT_NAMES.has(each.program ?? '') ? ruleOnSecret(names, here) : undefined
    if (secret && (isPattern(path) || (await isThere(fs, path, here)))) return secret
  }
  return undefined
}

async function isThere(fs: FileSystem | undefined, path: string, { cwd, signal }: Place): Promise<boolean> {
  if (!fs) return true
  try {
    await fs.stat(await fs.resolve(path, { cwd, signal }), signal)
    return true
  } catch (error) {
    if (signal.aborted) throw error
    return (error as { code?: unknown }).code !== 'FS_NOT_FOUND'
  }
}
