/** Finds rules that can never hold: what is misspelt, or hidden by a stricter rule, looks like protection and is none. Pure. */

import { nearest } from '@deepseek-ai/dsh-text'
import { matchesCommand, namesTool } from '@deepseek-ai/dsh-permission-patterns'
import { ACTIONS, type RuleBook } from './rule-book.ts'
import type { Rule } from './types.ts'

/** Between commands, or before a file: no single command holds them. */
const JOINTS: ReadonlySet<string> = new Set([';', '&&', '||', '|', '|&', '&', '>', '>>', '<', '2>', '&>'])

/** Each with the reason, in words that fit behind "never holds:". `tools` are the names of all there are now. */
export function findIdleRules(book: RuleBook, tools: readonly string[]): Map<Rule, string> {
  const idle = new Map<Rule, string>()
  const all = book.all()
  for (const [at, rule] of all.entries()) {
    const why = whyUnknown(rule, tools) ?? whyJoined(rule) ?? whyHidden(rule, all.slice(0, at))
    if (why !== undefined) idle.set(rule, why)
  }
  return idle
}

function whyUnknown({ tool }: Rule, tools: readonly string[]): string | undefined {
  if (tools.some(name => namesTool(tool, name))) return undefined
  const server = /^mcp__[^_*]+(?:_[^_*]+)*$/.test(tool)
  if (server) return `it names a server, not a tool; write ${tool}__* for all of its tools`
  // Servers come and go while the program runs.
  if (tool.startsWith('mcp__')) return undefined
  const meant = nearest(tool, tools)
  return `there is no tool ${tool}${meant ? `; did you mean ${meant}?` : ''}`
}

function whyJoined({ pattern }: Rule): string | undefined {
  if (pattern?.kind !== 'command') return undefined
  const joint = pattern.command.samples[0]?.find(word => JOINTS.has(word))
  return joint === undefined ? undefined : `a pattern is about one command, and ${joint} stands between commands or files`
}

/** Rules are tried in order: one that a rule before it covers whole is never reached. */
function whyHidden(rule: Rule, before: readonly Rule[]): string | undefined {
  const cover = before.find(each => covers(each, rule))
  if (!cover) return undefined
  const same = cover.action === rule.action
  return `${cover.text} (${cover.source()}) ${same ? 'says the same before it' : `is tried first: ${ACTIONS.slice(0, 2).join(' over ')} over allow`}`
}

function covers(outer: Rule, inner: Rule): boolean {
  if (outer.tool === inner.tool && outer.text === inner.text) return true
  if (outer.pattern === undefined) return outer.action !== 'allow' && namesTool(outer.tool, inner.tool) && !(inner.tool.includes('*') && outer.tool !== inner.tool && outer.tool !== '*')
  if (outer.action === 'allow' || outer.pattern.kind !== 'command' || inner.pattern?.kind !== 'command') return false
  const { command } = outer.pattern
  return inner.pattern.command.samples.every(words => words.length > 0 && matchesCommand(command, words))
}
