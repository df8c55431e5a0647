/** One file of TypeScript or JavaScript, parsed, as the rules see it. */

import type ts from 'typescript'
import { parse } from '../repository/syntax.ts'

/** What a file is for; rules differ by it. `source` ships, `tool` is ours alone, `spec` holds tests, `support` helps them. */
export type CodeKind = 'source' | 'tool' | 'spec' | 'support'

export interface CodeFile {
  /** Relative to the root of the repository. */
  path: string
  text: string
  kind: CodeKind
  /** `packages/<group>/<package>` or `vendor/<name>`; empty for files of the repository itself. */
  packageFolder: string
  tree: ts.SourceFile
}

export interface Problem {
  path: string
  /** From 1. */
  line: number
  /** What is wrong, then how to put it right. */
  message: string
}

export type Rule = (file: CodeFile) => Problem[]

export function parseCode(path: string, text: string): CodeFile {
  return {
    path,
    text,
    kind: kindOf(path),
    packageFolder: /^(packages\/[^/]+\/[^/]+|vendor\/[^/]+)\//.exec(path)?.[1] ?? '',
    tree: parse(path, text),
  }
}

function kindOf(path: string): CodeKind {
  if (/\.spec\.(ts|mts|mjs)$/.test(path)) return 'spec'
  if (/(^|\/)tests\//.test(path)) return 'support'
  return /^(packages|vendor)\//.test(path) ? 'source' : 'tool'
}

export function problemAt(file: CodeFile, node: ts.Node, message: string): Problem {
  return { path: file.path, line: file.tree.getLineAndCharacterOfPosition(node.getStart(file.tree)).line + 1, message }
}

/** Lines of text; a line break at the end does not open another. */
export function countLines(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length
}
