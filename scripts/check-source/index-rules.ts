/** `index.ts` lists what a package offers and does nothing else; every other file says what it is for. */

import { basename } from 'node:path'
import ts from 'typescript'
import { countLines, problemAt, type CodeFile, type Problem } from './code-file.ts'

const MOST_INDEX_LINES = 40

export function checkIndex(file: CodeFile): Problem[] {
  if (!isIndex(file)) return []
  const lines = countLines(file.text)
  const long: Problem[] = lines <= MOST_INDEX_LINES ? [] : [{ path: file.path, line: MOST_INDEX_LINES + 1, message: `${lines} lines, at most ${MOST_INDEX_LINES}; the package offers too much, or join its type exports` }]
  return [...long, ...file.tree.statements.flatMap(statement => checkStatement(file, statement))]
}

/** The facades of `vendor/` pass on everything of one package; elsewhere a list by hand says what is public. */
function checkStatement(file: CodeFile, statement: ts.Statement): Problem[] {
  const isTypeImport = ts.isImportDeclaration(statement) && statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
  if (isTypeImport) return []
  if (!ts.isExportDeclaration(statement) || !statement.moduleSpecifier) return [problemAt(file, statement, 'index.ts only re-exports; move this into a file named for it')]
  if (statement.exportClause || file.path.startsWith('vendor/')) return []
  return [problemAt(file, statement, '`export *` hides what is public; list the names')]
}

export function checkHeader(file: CodeFile): Problem[] {
  if (file.kind === 'spec' || isIndex(file)) return []
  // Past a shebang, comments are looked for from the end of its line.
  const start = file.text.startsWith('#!') ? file.text.indexOf('\n') : 0
  const [first] = ts.getLeadingCommentRanges(file.text, start) ?? []
  const comment = first && file.text.slice(first.pos, first.end)
  if (comment !== undefined && !/^\/[/*]+\s*(oxlint|eslint|@ts-)/.test(comment)) return []
  return [{ path: file.path, line: 1, message: 'no header comment; open the file with one sentence that says what it is for' }]
}

function isIndex({ path, kind }: CodeFile): boolean {
  return kind === 'source' && basename(path) === 'index.ts'
}
