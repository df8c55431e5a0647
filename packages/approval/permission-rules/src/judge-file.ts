/** Judges the use of one file by the path rules: as it was written, and as it really is. */

import { resolve } from 'node:path'
import type { FileSystem } from '@deepseek-ai/dsh-fs'
import type { Verdict } from '@deepseek-ai/dsh-approval'
import { exactPattern, FILE_TOOLS, namesTool, whySecret } from '@deepseek-ai/dsh-permission-patterns'
import { ruledBy, type RuleBook } from './rule-book.ts'
import type { Place, Rule, Ruling } from './types.ts'

/** What is done with a file, under the name of the tool that does the same. */
export interface FileUse {
  tool: 'read' | 'grep' | 'glob' | 'edit' | 'write'
  path: string
}

/** One file under all its names. */
export interface Names {
  /** Absolute: as it was written, then as it really is. */
  all: readonly string[]
  /** As it really is, links followed. */
  real: readonly string[]
}

/** Every name under which rules may know the file. Rejects as `ctx.fs.resolve` does. */
export async function namesOf(fs: FileSystem | undefined, path: string, { cwd, home, signal }: Place): Promise<Names> {
  const written = resolve(cwd, path === '~' || path.startsWith('~/') ? `${home}${path.slice(1)}` : path)
  if (!fs) return { all: [written], real: [written] }
  // Some tools take a file whose name only looks like the one that was given.
  const targets = await Promise.all([false, true].map(lookalike => fs.resolve(path, { cwd, signal, lookalike })))
  const real = [...new Set(targets.map(({ targetKey }) => targetKey))]
  return { all: [...new Set([written, ...real])], real }
}

/** The same for what need not be a path that can be looked up; then it is known as it was written alone. */
export async function namesOfAny(fs: FileSystem | undefined, path: string, place: Place): Promise<Names> {
  try {
    return await namesOf(fs, path, place)
  } catch (error) {
    if (!isUnresolvable(error, place)) throw error
    return await namesOf(undefined, path, place)
  }
}

/** Whether it is the file system's word on a path: too long, through a file, not to be searched. */
export function isUnresolvable(error: unknown, { signal }: Place): boolean {
  return !signal.aborted && typeof (error as { code?: unknown }).code === 'string'
}

/** What rules say of it; undefined when none speaks of it. */
export async function ruleOnFile(book: RuleBook, { tool }: FileUse, names: Names, place: Place): Promise<Ruling | undefined> {
  for (const action of ['deny', 'ask', 'allow'] as const) {
    for (const rule of book.of(action)) {
      if (await speaksOf(rule, { tool, names, place, action })) return { verdict: action, ...ruledBy(rule), remember: [] }
    }
  }
  return undefined
}

interface Spoken {
  tool: FileUse['tool']
  names: Names
  place: Place
  action: Verdict
}

async function speaksOf(rule: Rule, { tool, names, place: { workspace, home }, action }: Spoken): Promise<boolean> {
  if (rule.pattern === undefined) return namesTool(rule.tool, tool)
  const { pattern } = rule
  const known = FILE_TOOLS.get(tool)
  if (pattern.kind !== 'path' || !known) return false
  // An allowance holds for the tool that it names; to be let look at a file is to be let search it.
  const kin = action === 'allow' && known.changes ? [tool] : known.kin
  if (!kin.includes(rule.tool)) return false
  const searches = known.searches === true
  const asked = (path: string): Promise<boolean> => pattern.path.matches({ path, workspace, home, searches })
  const matches = await Promise.all((action === 'allow' ? names.real : names.all).map(asked))
  return action === 'allow' ? matches.every(Boolean) : matches.some(Boolean)
}

/** Whether it is known to hold secrets; a question that offers to remember this file alone. */
export function ruleOnSecret(names: Names, { workspace }: Place): Ruling | undefined {
  const [why] = names.all.flatMap(path => whySecret(path) ?? [])
  if (why === undefined) return undefined
  return { verdict: 'ask', reason: why, remember: names.real.map(path => `read(${exactPattern(path, workspace)})`) }
}
