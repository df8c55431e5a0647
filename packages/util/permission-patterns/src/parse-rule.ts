/**
 * Reads a rule as it is written: `tool` or `tool(pattern)`. Pure.
 *
 *     bash                          every command
 *     bash(git diff *)              one simple command: see command-pattern.ts
 *     edit(src/**)                  files: see path-pattern.ts
 *     web_fetch(domain:*.x.org)     a host, or all below it
 *     mcp__github__*                every tool of a name; `*` stands for anything
 */

import { nearest } from '@deepseek-ai/dsh-text'
import { readCommandPattern } from './command-pattern.ts'
import { readDomain } from './domain.ts'
import { FILE_TOOLS } from './file-tools.ts'

export interface ParsedRule {
  /** The tool's name; may hold `*` where there is no pattern. */
  tool: string
  /** What stands in the brackets. */
  pattern?: string
}

/** Tools whose rules may have a pattern, with an example of one. */
export const PATTERN_TOOLS: Readonly<Record<string, string>> = {
  bash: 'bash(git diff *)',
  web_fetch: 'web_fetch(domain:example.org)',
  ...Object.fromEntries([...FILE_TOOLS.keys()].map(tool => [tool, `${tool}(./src/**)`])),
}

const SHAPE = /^([A-Za-z0-9_*-]+)(?:\(([^]*)\))?$/

/** The rule, or in words why it is none. */
export function parseRule(text: string): ParsedRule | { fault: string } {
  const found = SHAPE.exec(text)
  const [, tool, pattern] = found ?? []
  if (tool === undefined) return { fault: `${JSON.stringify(text)} is no rule; write tool or tool(pattern), such as bash(git diff *)` }
  if (pattern === undefined) return { tool }
  const fault = faultOfPattern(tool, pattern)
  return fault === undefined ? { tool, pattern } : { fault: `${JSON.stringify(text)} is no rule: ${fault}` }
}

function faultOfPattern(tool: string, pattern: string): string | undefined {
  if (!Object.hasOwn(PATTERN_TOOLS, tool)) {
    const meant = nearest(tool, Object.keys(PATTERN_TOOLS))
    return meant ? `${tool} takes no pattern; did you mean ${meant}(${pattern})?` : `${tool} takes no pattern; write ${tool} alone`
  }
  if (pattern.trim() === '') return `the pattern is empty; write ${tool} alone for every call of it, or ${PATTERN_TOOLS[tool]}`
  if (tool === 'bash') return readCommandPattern(pattern) === undefined ? 'a quotation mark is not closed' : undefined
  if (tool === 'web_fetch') return readDomain(pattern) === undefined ? 'write web_fetch(domain:example.org), or domain:*.example.org for all below it' : undefined
  if (pattern.startsWith('!')) return 'a pattern cannot exclude; write a rule of the other kind'
  return /[\0\n\r]/.test(pattern) ? 'a pattern is one line' : undefined
}

/** Whether a rule's tool name, which may hold `*`, names this tool. */
export function namesTool(rule: string, tool: string): boolean {
  if (!rule.includes('*')) return rule === tool
  return new RegExp(`^${rule.split('*').map(RegExp.escape).join('.*')}$`).test(tool)
}
