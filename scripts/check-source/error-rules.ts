/** Failures are never swallowed, and the compiler is never told to look away. */

import ts from 'typescript'
import { walk } from '../repository/syntax.ts'
import { problemAt, type CodeFile, type Problem } from './code-file.ts'

export function checkCatches(file: CodeFile): Problem[] {
  return [...walk(file.tree)].flatMap(node => {
    const isEmpty = ts.isCatchClause(node) && node.block.statements.length === 0
    const isSilent = ts.isCallExpression(node) && isCatchCall(node) && node.arguments.some(each => answersNothing(each))
    return isEmpty || isSilent ? [problemAt(file, node, 'an error is swallowed; test for the one that is expected and rethrow the rest, or report it')] : []
  })
}

function isCatchCall({ expression, arguments: handlers }: ts.CallExpression): boolean {
  return ts.isPropertyAccessExpression(expression) && expression.name.text === 'catch' && handlers.length === 1
}

/** `() => {}`, `() => undefined` and `() => null`. */
function answersNothing(node: ts.Node): boolean {
  if (!ts.isArrowFunction(node) && !ts.isFunctionExpression(node)) return false
  if (ts.isBlock(node.body)) return node.body.statements.length === 0
  return /^(undefined|null|void 0)$/.test(node.body.getText())
}

export function checkAssertions(file: CodeFile): Problem[] {
  return [...walk(file.tree)].flatMap(node => {
    if (ts.isNonNullExpression(node)) return [problemAt(file, node, '`!` asserts what was not checked; check it, or throw with a sentence')]
    const isDefinite = (ts.isPropertyDeclaration(node) || ts.isVariableDeclaration(node)) && node.exclamationToken !== undefined
    return isDefinite ? [problemAt(file, node, '`!:` asserts that it will be set; give it a value, or admit `undefined`')] : []
  })
}
