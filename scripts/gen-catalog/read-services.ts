/** Finds what a package adds to the context, and what can be called on it. */

import ts from 'typescript'
import { firstSentence, oneLine, walk } from '../repository/syntax.ts'
import type { Member, ServiceEntry } from './types.ts'

/** In the order of the keys. */
export function readServices(files: readonly ts.SourceFile[]): ServiceEntry[] {
  const owners = new Map(files.flatMap(file => file.statements.filter(isOwner).map(each => [each.name?.text ?? '', each] as const)))
  const keys = files.flatMap(file => membersOfMerged(file, 'cordis', 'Context')).filter(ts.isPropertySignature)
  const services = keys.flatMap(member => {
    const type = member.type?.getText() ?? ''
    const owner = owners.get(type)
    // A key without a class or an interface of its own, such as a symbol's, is no service.
    return owner && ts.isIdentifier(member.name) ? [{ key: member.name.text, type, doc: firstSentence(owner) || firstSentence(member) || headerOf(owner), members: owner.members.filter(isPublic).map(toMember) }] : []
  })
  return services.sort((a, b) => (a.key < b.key ? -1 : 1))
}

type Owner = ts.ClassDeclaration | ts.InterfaceDeclaration

function isOwner(node: ts.Node): node is Owner {
  return ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node)
}

/** The members that a file merges into an interface of a module, or declares itself where the module is its own. */
export function membersOfMerged(file: ts.SourceFile, module: string, name: string): ts.TypeElement[] {
  const merged = file.statements.filter(ts.isModuleDeclaration).filter(each => ts.isStringLiteral(each.name) && each.name.text === module)
  const interfaces = merged.flatMap(each => [...walk(each)]).filter(ts.isInterfaceDeclaration)
  return interfaces.filter(each => each.name.text === name).flatMap(each => [...each.members])
}

function isPublic(member: ts.ClassElement | ts.TypeElement): boolean {
  const hidden = ts.SyntaxKind.PrivateKeyword
  const modifiers = ts.canHaveModifiers(member) ? (ts.getModifiers(member) ?? []) : []
  if (modifiers.some(({ kind }) => kind === hidden || kind === ts.SyntaxKind.ProtectedKeyword || kind === ts.SyntaxKind.StaticKeyword)) return false
  return member.name !== undefined && !ts.isPrivateIdentifier(member.name) && !ts.isComputedPropertyName(member.name) && !ts.isSetAccessor(member)
}

/** Everything up to the body, without words that matter only to the class itself. */
function toMember(member: ts.ClassElement | ts.TypeElement): Member {
  const end = bodyStart(member)
  const text = member.getSourceFile().text.slice(member.getStart(), end)
  const bare = ts.isGetAccessor(member) ? text.replace(/\(\s*\)/, '') : text
  const signature = oneLine(bare).replace(/^((public|abstract|override|async|declare|get) )+/, match => (match.includes('get ') ? 'readonly ' : '')).replace(/\s*[={;,]?$/, '')
  return { signature, doc: firstSentence(member) }
}

function bodyStart(member: ts.ClassElement | ts.TypeElement): number {
  if (ts.isPropertyDeclaration(member) && member.initializer) return member.initializer.getStart()
  return ('body' in member ? (member.body as ts.Node | undefined)?.getStart() : undefined) ?? member.end
}

/** The first sentence of the file, for a class that has no comment of its own because the file is about it. */
function headerOf(owner: Owner): string {
  const [first] = owner.getSourceFile().statements
  return first ? firstSentence(first).replace(/^`ctx\.\w+`: /, '') : ''
}
