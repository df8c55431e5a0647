/** Finds the tools that a package offers to the model. */

import ts from 'typescript'
import { walk } from '../repository/syntax.ts'
import type { ToolEntry } from './types.ts'

/** Every `defineTool({ … })`, and every object that is registered as a tool. */
export function readTools(files: readonly ts.SourceFile[]): ToolEntry[] {
  const calls = files.flatMap(file => [...walk(file)]).filter(isToolCall)
  const tools = calls.flatMap(call => {
    const [spec] = call.arguments
    return spec && ts.isObjectLiteralExpression(spec) && valueOf(spec, 'parameters') ? [toEntry(spec)] : []
  })
  return tools.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function isToolCall(node: ts.Node): node is ts.CallExpression {
  return ts.isCallExpression(node) && /(^defineTool|\btools\.register)$/.test(node.expression.getText())
}

function toEntry(spec: ts.ObjectLiteralExpression): ToolEntry {
  const parameters = resolve(valueOf(spec, 'parameters'))
  return { name: readText(valueOf(spec, 'name')), doc: readText(valueOf(spec, 'description')).trim().replace(/^…$/, ''), parameters: parameters ? readParameters(parameters) : [] }
}

/** Of the short form, `{ path: { type, required } }`, and of a JSON Schema. */
function readParameters(parameters: ts.ObjectLiteralExpression): string[] {
  const properties = resolve(valueOf(parameters, 'properties'))
  const required = properties && valueOf(parameters, 'required')?.getText()
  return (properties ?? parameters).properties.flatMap(each => {
    if (!ts.isPropertyAssignment(each)) return []
    const name = each.name.getText()
    const own = resolve(each.initializer)
    const isRequired = required === undefined ? own !== undefined && valueOf(own, 'required') !== undefined : required.includes(`'${name}'`)
    return [isRequired ? `${name}*` : name]
  })
}

function valueOf(object: ts.ObjectLiteralExpression, key: string): ts.Expression | undefined {
  for (const each of object.properties) {
    if (each.name?.getText() !== key) continue
    if (ts.isPropertyAssignment(each)) return each.initializer
    if (ts.isShorthandPropertyAssignment(each)) return each.name
  }
  return undefined
}

/** An object literal, also through a constant of the same file. */
function resolve(value: ts.Expression | undefined): ts.ObjectLiteralExpression | undefined {
  if (!value || ts.isObjectLiteralExpression(value)) return value
  if (ts.isAsExpression(value) || ts.isSatisfiesExpression(value)) return resolve(value.expression)
  return ts.isIdentifier(value) ? resolve(constantOf(value)) : undefined
}

function constantOf(value: ts.Identifier): ts.Expression | undefined {
  for (const node of walk(value.getSourceFile())) {
    if (ts.isVariableDeclaration(node) && node.name.getText() === value.text) return node.initializer
  }
  return undefined
}

/** The string that an expression writes, with spaces for line breaks; `…` stands for what is only known when it runs. */
function readText(value: ts.Expression | undefined): string {
  if (!value) return ''
  if (ts.isStringLiteralLike(value)) return value.text.replace(/\s+/g, ' ')
  if (ts.isTemplateExpression(value)) return (value.head.text + value.templateSpans.map(({ literal }) => `…${literal.text}`).join('')).replace(/\s+/g, ' ')
  if (ts.isBinaryExpression(value)) return readText(value.left) + readText(value.right)
  const constant = ts.isIdentifier(value) ? constantOf(value) : undefined
  return constant ? readText(constant) : '…'
}
