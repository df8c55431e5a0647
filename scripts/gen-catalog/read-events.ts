/** Finds the live events that a package declares, how they are fired, and the events of its log. */

import ts from 'typescript'
import { firstSentence, oneLine, walk } from '../repository/syntax.ts'
import { membersOfMerged } from './read-services.ts'
import type { EventEntry, LogEventEntry } from './types.ts'

const MODES: ReadonlySet<string> = new Set(['emit', 'parallel', 'serial', 'bail', 'waterfall'])

/** The modes that the sources fire each event in. */
export function readModes(files: readonly ts.SourceFile[]): ReadonlyMap<string, ReadonlySet<string>> {
  const modes = new Map<string, Set<string>>()
  for (const node of files.flatMap(file => [...walk(file)])) {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression) || !MODES.has(node.expression.name.text)) continue
    // An event may be sent with its filter first.
    const name = node.arguments.slice(0, 2).find(ts.isStringLiteral)?.text
    if (name !== undefined) modes.set(name, (modes.get(name) ?? new Set()).add(node.expression.name.text))
  }
  return modes
}

export function readEvents(files: readonly ts.SourceFile[], modes: ReadonlyMap<string, ReadonlySet<string>>): EventEntry[] {
  const members = files.flatMap(file => membersOfMerged(file, 'cordis', 'Events'))
  const events = members.filter(each => ts.isMethodSignature(each) || ts.isPropertySignature(each)).map(member => {
    const name = nameOf(member)
    const signature = oneLine(member.getText()).replace(/^(['"]).*?\1\s*:?\s*/, '')
    return { name, signature, doc: firstSentence(member), mode: [...(modes.get(name) ?? [])].sort().join(', ') || guessMode(signature) }
  })
  return events.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** For what is declared here and fired by a program that is not in this repository, or through a variable. */
function guessMode(signature: string): string {
  if (/\bnext: \(\)/.test(signature)) return 'waterfall'
  return signature.endsWith('Promise<void>') ? 'parallel' : 'emit'
}

export function readLogEvents(files: readonly ts.SourceFile[]): LogEventEntry[] {
  const own = files.flatMap(file => file.statements.filter(ts.isInterfaceDeclaration).filter(({ name }) => name.text === 'SessionEventMap').flatMap(({ members }) => [...members]))
  const merged = files.flatMap(file => membersOfMerged(file, '@deepseek-ai/dsh-session', 'SessionEventMap'))
  const events = [...own, ...merged].filter(ts.isPropertySignature).map(member => ({ name: nameOf(member), signature: oneLine(member.type?.getText() ?? ''), doc: firstSentence(member) }))
  return events.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function nameOf({ name }: ts.TypeElement): string {
  return name && ts.isStringLiteral(name) ? name.text : (name?.getText() ?? '')
}
