/** Runs every rule over every file of a tree. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listFiles } from '../repository/list-files.ts'
import { countLines, parseCode, type Problem, type Rule } from './code-file.ts'
import { checkAssertions, checkCatches } from './error-rules.ts'
import { checkRelativeImports } from './import-rules.ts'
import { checkHeader, checkIndex } from './index-rules.ts'
import { checkFileLength, checkFunctions } from './size-rules.ts'
import { checkModuleState } from './state-rules.ts'
import { checkFocus } from './test-rules.ts'
import { checkText, isText } from './text-rules.ts'

const RULES: readonly Rule[] = [checkHeader, checkFileLength, checkIndex, checkFunctions, checkCatches, checkAssertions, checkModuleState, checkRelativeImports, checkFocus]

const MOST_PACKAGE_LINES = 1_500
/** The loop is the part that everybody reads. */
const MOST_LOOP_LINES = 1_000

/** `file:line: what is wrong; how to put it right`, sorted by file. */
export function checkTree(root: string): string[] {
  const texts = new Map(listFiles(root).filter(isText).map(path => [path, readFileSync(join(root, path), 'utf8')]))
  const code = [...texts].filter(([path]) => isCode(path)).map(([path, text]) => parseCode(path, text))
  const problems = [...code.flatMap(file => RULES.flatMap(rule => rule(file))), ...[...texts].flatMap(([path, text]) => checkText(path, text)), ...checkPackageSizes(texts)]
  return problems.sort(byPlace).map(({ path, line, message }) => `${path}:${line}: ${message}`)
}

function isCode(path: string): boolean {
  return /\.(ts|mts|mjs)$/.test(path) && !path.endsWith('.d.ts') && !/\/fixtures\//.test(path)
}

export function checkPackageSizes(texts: ReadonlyMap<string, string>): Problem[] {
  const sizes = new Map<string, number>()
  for (const [path, text] of texts) {
    const folder = /^((?:packages\/[^/]+|vendor)\/[^/]+)\/src\/.*\.ts$/.exec(path)?.[1]
    if (folder !== undefined) sizes.set(folder, (sizes.get(folder) ?? 0) + countLines(text))
  }
  return [...sizes].flatMap(([folder, lines]) => {
    const most = folder.endsWith('/agent-loop') ? MOST_LOOP_LINES : MOST_PACKAGE_LINES
    return lines <= most ? [] : [{ path: `${folder}/package.json`, line: 1, message: `${lines} lines in src, at most ${most}; it is two packages` }]
  })
}

function byPlace(a: Problem, b: Problem): number {
  return a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1
}
