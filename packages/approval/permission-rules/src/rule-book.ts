/** The rules in force: of the configuration, of the project, of the session; deny over ask over allow, the first match within each. */

import type { RuleReference, Verdict } from '@deepseek-ai/dsh-approval'
import { namesTool, type ParsedRule, parseRule, PathPattern, readCommandPattern, readDomain } from '@deepseek-ai/dsh-permission-patterns'
import type { Rule } from './types.ts'

export const ACTIONS: readonly Verdict[] = ['deny', 'ask', 'allow']

export class RuleBook {
  readonly #rules: Readonly<Record<Verdict, readonly Rule[]>>

  constructor(rules: readonly Rule[]) {
    this.#rules = { deny: rules.filter(each => each.action === 'deny'), ask: rules.filter(each => each.action === 'ask'), allow: rules.filter(each => each.action === 'allow') }
  }

  /** Those of one kind, in the order in which they are tried. */
  of(action: Verdict): readonly Rule[] {
    return this.#rules[action]
  }

  /** All, in the order in which they are tried. */
  all(): Rule[] {
    return ACTIONS.flatMap(action => this.#rules[action])
  }

  /** The first rule of a kind that names the tool as a whole. */
  byName(action: Verdict, tool: string): Rule | undefined {
    return this.#rules[action].find(rule => rule.pattern === undefined && namesTool(rule.tool, tool))
  }

  with(more: readonly Rule[]): RuleBook {
    return more.length === 0 ? this : new RuleBook([...this.all(), ...more])
  }
}

/** Throws when the text is no rule; see `parseRule` for that in words. */
export function toRule(action: Verdict, text: string, source: () => string): Rule {
  const parsed = parseRule(text)
  if ('fault' in parsed) throw new Error(parsed.fault)
  const pattern = patternOf(action, parsed)
  return { action, text, tool: parsed.tool, source, ...(pattern && { pattern }) }
}

function patternOf(action: Verdict, { tool, pattern }: ParsedRule): Rule['pattern'] {
  if (pattern === undefined) return undefined
  const command = tool === 'bash' ? readCommandPattern(pattern) : undefined
  if (command) return { kind: 'command', command }
  const domain = tool === 'web_fetch' ? readDomain(pattern) : undefined
  return domain ? { kind: 'domain', domain } : { kind: 'path', path: new PathPattern(pattern.trim(), action !== 'allow') }
}

export function referTo({ action, text, source, allowed }: Rule): RuleReference {
  return { action, text, source: source(), ...(allowed && { allowed }) }
}

/** The strictest of verdicts; `allow` for none. */
export function strictest(verdicts: Iterable<Verdict>): Verdict {
  const all = new Set(verdicts)
  return ACTIONS.find(action => all.has(action)) ?? 'allow'
}

/** What a rule says, in words. */
export function ruledBy(rule: Rule): { reason: string; rule: RuleReference } {
  const verbs: Readonly<Record<Verdict, string>> = { deny: 'denies', ask: 'wants it asked', allow: 'allows' }
  return { reason: `the rule ${rule.text} (${rule.source()}) ${verbs[rule.action]}${rule.action === 'ask' ? '' : ' it'}`, rule: referTo(rule) }
}
