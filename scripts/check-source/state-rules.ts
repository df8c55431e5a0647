/** State lives on instances, never on modules: two loaded copies of a module would split it in silence. */

import ts from 'typescript'
import { walk } from '../repository/syntax.ts'
import { problemAt, type CodeFile, type Problem } from './code-file.ts'

const COLLECTIONS: ReadonlySet<string> = new Set(['Map', 'Set', 'WeakMap', 'WeakSet', 'Array'])

/** Methods of arrays, maps and sets that change them. */
const CHANGES: ReadonlySet<string> = new Set(['push', 'pop', 'shift', 'unshift', 'splice', 'sort', 'reverse', 'fill', 'copyWithin', 'set', 'add', 'delete', 'clear'])

/** Scripts run once and specs reset what they keep, so only what ships is looked at. */
export function checkModuleState(file: CodeFile): Problem[] {
  if (file.kind !== 'source') return []
  const changed = findChanged(file)
  return [...file.tree.statements.flatMap(statement => (ts.isVariableStatement(statement) ? checkVariables(file, statement, changed) : [])), ...checkStatics(file)]
}

function checkVariables(file: CodeFile, { declarationList, modifiers }: ts.VariableStatement, changed: ReadonlySet<string>): Problem[] {
  if (modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword)) return []
  if (!(declarationList.flags & ts.NodeFlags.Const)) return [problemAt(file, declarationList, 'a variable of the module; make it a field of what owns it')]
  return declarationList.declarations.filter(each => isMutable(each) || changed.has(each.name.getText())).map(each => problemAt(file, each, `${each.name.getText()} is state of the module; make it a field, or if it never changes type it as readonly (ReadonlyMap, ReadonlySet, readonly x[])`))
}

/** Made to be filled: a collection or an empty literal that its type does not call readonly. */
function isMutable({ type, initializer }: ts.VariableDeclaration | ts.PropertyDeclaration): boolean {
  if (type && /^(Readonly|readonly\b)/.test(type.getText())) return false
  if (!initializer) return false
  if (ts.isNewExpression(initializer)) return COLLECTIONS.has(initializer.expression.getText())
  if (ts.isArrayLiteralExpression(initializer)) return initializer.elements.length === 0
  return ts.isObjectLiteralExpression(initializer) && initializer.properties.length === 0
}

function checkStatics(file: CodeFile): Problem[] {
  const isStatic = (node: ts.Node): node is ts.PropertyDeclaration => ts.isPropertyDeclaration(node) && (node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) ?? false)
  return [...walk(file.tree)].filter(isStatic).filter(isMutable).map(each => problemAt(file, each, `static ${each.name.getText()} is state of the module; make it a field of the instance`))
}

/** Names that are changed somewhere: `x.push()`, `x[0] = …`, `x.y = …`, `delete x.y`. */
function findChanged(file: CodeFile): ReadonlySet<string> {
  const names = new Set<string>()
  for (const node of walk(file.tree)) {
    const target = changedBy(node)
    if (target && ts.isIdentifier(target)) names.add(target.text)
  }
  return names.difference(findLocals(file))
}

function changedBy(node: ts.Node): ts.Node | undefined {
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && CHANGES.has(node.expression.name.text)) return node.expression.expression
  if (ts.isDeleteExpression(node)) return ownerOf(node.expression)
  const isAssignment = ts.isBinaryExpression(node) && node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment && node.operatorToken.kind <= ts.SyntaxKind.LastAssignment
  return isAssignment ? ownerOf(node.left) : undefined
}

function ownerOf(node: ts.Node): ts.Node | undefined {
  return ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node) ? node.expression : undefined
}

/** Names that also belong to a parameter or a variable inside of a function: those are not the module's. */
function findLocals({ tree }: CodeFile): ReadonlySet<string> {
  const isModules = (node: ts.Node): boolean => ts.isVariableDeclaration(node) && node.parent.parent.parent === tree
  const isLocal = (node: ts.Node): node is ts.VariableDeclaration | ts.ParameterDeclaration | ts.BindingElement => (ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node)) && !isModules(node)
  return new Set([...walk(tree)].filter(isLocal).map(({ name }) => name.getText(tree)))
}
