/** A package is reached by its name, never by a path that climbs out of one's own. */

import { posix } from 'node:path'
import ts from 'typescript'
import { walk } from '../repository/syntax.ts'
import { problemAt, type CodeFile, type Problem } from './code-file.ts'

export function checkRelativeImports(file: CodeFile): Problem[] {
  return [...walk(file.tree)].filter(isSpecifier).flatMap(node => {
    if (!node.text.startsWith('.')) return []
    const target = posix.normalize(posix.join(posix.dirname(file.path), node.text))
    const leaves = file.packageFolder !== '' && !target.startsWith(`${file.packageFolder}/`)
    const enters = file.packageFolder === '' && /^(packages\/[^/]+\/[^/]+|vendor\/[^/]+)\/src\//.test(target) && file.kind !== 'tool'
    return leaves || enters ? [problemAt(file, node, `${node.text} leads into another package; import it by its name`)] : []
  })
}

/** The string of an import, an export or a dynamic import. */
function isSpecifier(node: ts.Node): node is ts.StringLiteral {
  if (!ts.isStringLiteral(node)) return false
  const { parent } = node
  const isDynamic = ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword
  return ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || isDynamic || ts.isLiteralTypeNode(parent) && ts.isImportTypeNode(parent.parent)
}
