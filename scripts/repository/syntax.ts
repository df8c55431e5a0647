/** Small readers of syntax trees. */

import ts from 'typescript'

export function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true)
}

/** Every node below `root`, in the order of the text. */
export function* walk(root: ts.Node): Generator<ts.Node> {
  const children: ts.Node[] = []
  ts.forEachChild(root, child => {
    children.push(child)
  })
  for (const child of children) {
    yield child
    yield* walk(child)
  }
}

/** The first sentence of the doc-comment above a node, on one line; empty where there is none. */
export function firstSentence(node: ts.Node): string {
  const docs = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)
  const text = (ts.getTextOfJSDocComment(docs.at(-1)?.comment) ?? '').replace(/\s+/g, ' ').trim()
  return /^.*?(?<!\b(?:e\.g|i\.e))\.(?= |$)/.exec(text)?.[0] ?? text
}

/** Source text on one line, without comments; members that stood on lines of their own are parted by semicolons. */
export function oneLine(text: string): string {
  const bare = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/([^\s{([,;|&=<>?:])\s*\n\s*(?=[\w'"[])/g, '$1; ')
  return bare.replace(/\s*\n\s*/g, ' ').replace(/\( /g, '(').replace(/,? \)/g, ')').replace(/ {2,}/g, ' ').trim()
}
