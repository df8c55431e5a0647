/** Every test runs, or says why not. */

import ts from 'typescript'
import { walk } from '../repository/syntax.ts'
import { problemAt, type CodeFile, type Problem } from './code-file.ts'

const SKIPS: ReadonlySet<string> = new Set(['skip', 'skipIf', 'runIf', 'todo', 'fails'])

export function checkFocus(file: CodeFile): Problem[] {
  if (file.kind !== 'spec' && file.kind !== 'support') return []
  return [...walk(file.tree)].filter(isModifier).flatMap(node => {
    if (node.name.text === 'only') return [problemAt(file, node, '`.only` keeps all other tests from running; remove it')]
    return SKIPS.has(node.name.text) && !hasReason(file, node) ? [problemAt(file, node, `\`.${node.name.text}\` without a reason; say why in a comment on the line above`)] : []
  })
}

/** `it.skip`, `describe.each(…).only` and their kind. */
function isModifier(node: ts.Node): node is ts.PropertyAccessExpression {
  return ts.isPropertyAccessExpression(node) && /^(it|test|describe)\b/.test(node.expression.getText()) && (node.name.text === 'only' || SKIPS.has(node.name.text))
}

function hasReason({ text, tree }: CodeFile, node: ts.Node): boolean {
  const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree))
  const [own = '', above = ''] = [text.split('\n')[line], text.split('\n')[line - 1]]
  return /\/\/ ?\S/.test(own) || /^\s*(\/\/ ?\S|\/?\*)/.test(above)
}
