/** How long files and functions may be, how deep, how many parameters. */

import ts from 'typescript'
import { walk } from '../repository/syntax.ts'
import { countLines, problemAt, type CodeFile, type Problem } from './code-file.ts'

const MOST_LINES = 400
const MOST_SPEC_LINES = 600
const MOST_FUNCTION_LINES = 60
const MOST_PARAMETERS = 4
const DEEPEST = 4

export function checkFileLength(file: CodeFile): Problem[] {
  const lines = countLines(file.text)
  const most = file.kind === 'spec' ? MOST_SPEC_LINES : MOST_LINES
  return lines <= most ? [] : [{ path: file.path, line: most + 1, message: `${lines} lines, at most ${most}; split it along its nouns` }]
}

export function checkFunctions(file: CodeFile): Problem[] {
  return [...walk(file.tree)].filter(isImplemented).flatMap(each => [...checkLength(file, each), ...checkParameters(file, each), ...checkNesting(file, each)])
}

type Implemented = ts.FunctionLikeDeclaration & { body: ts.Node }

/** Types and overloads describe functions; only what has a body is one. */
function isImplemented(node: ts.Node): node is Implemented {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined
}

function checkLength(file: CodeFile, each: Implemented): Problem[] {
  const lines = lineOf(file, each.end) - lineOf(file, each.getStart(file.tree)) + 1
  if (lines <= MOST_FUNCTION_LINES || isSuite(file, each)) return []
  return [problemAt(file, each, `${nameOf(each)} has ${lines} lines, at most ${MOST_FUNCTION_LINES}; move a step of it into a function`)]
}

/** A function that only lists tests is as long as their number. */
function isSuite({ kind }: CodeFile, each: Implemented): boolean {
  if (kind !== 'spec' && kind !== 'support') return false
  return [...walk(each.body)].some(node => ts.isCallExpression(node) && /^(it|test|describe)\b/.test(node.expression.getText()))
}

function checkParameters(file: CodeFile, each: Implemented): Problem[] {
  const count = each.parameters.filter(({ name }) => name.getText(file.tree) !== 'this').length
  return count <= MOST_PARAMETERS ? [] : [problemAt(file, each, `${nameOf(each)} has ${count} parameters, at most ${MOST_PARAMETERS}; pass one options object`)]
}

function checkNesting(file: CodeFile, each: Implemented): Problem[] {
  const deepest = findDeeper(each.body, 0)
  return deepest ? [problemAt(file, deepest, `nested deeper than ${DEEPEST} levels; return early or move the inner part into a function`)] : []
}

/** The first statement below too many others. Functions start from nothing, and an `else if` is no deeper than its `if`. */
function findDeeper(node: ts.Node, depth: number): ts.Node | undefined {
  if (depth > DEEPEST) return node
  return ts.forEachChild(node, child => (ts.isFunctionLike(child) ? undefined : findDeeper(child, depth + (opensLevel(child, node) ? 1 : 0))))
}

function opensLevel(node: ts.Node, parent: ts.Node): boolean {
  if (ts.isIfStatement(node)) return !(ts.isIfStatement(parent) && parent.elseStatement === node)
  return ts.isIterationStatement(node, false) || ts.isSwitchStatement(node) || ts.isTryStatement(node)
}

function nameOf(each: Implemented): string {
  const own = each.name?.getText()
  if (own !== undefined) return own
  const { parent } = each
  if (ts.isConstructorDeclaration(each)) return 'the constructor'
  return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent.name.getText() : 'this function'
}

function lineOf({ tree }: CodeFile, position: number): number {
  return tree.getLineAndCharacterOfPosition(position).line
}
