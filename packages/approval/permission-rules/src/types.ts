/** The vocabulary inside this package. Types only. */

import type { Allowance, RuleReference, Verdict } from '@deepseek-ai/dsh-approval'
import type { CommandPattern, DomainRule, PathPattern } from '@deepseek-ai/dsh-permission-patterns'

/** `ask`: what only reads runs, everything else is asked. `auto`: everything runs but what is dangerous. `read-only`: what only reads runs, everything else is refused. */
export type PermissionMode = 'ask' | 'auto' | 'read-only'

/** One rule, ready to be matched. */
export interface Rule {
  action: Verdict
  text: string
  tool: string
  pattern?: { kind: 'command'; command: CommandPattern } | { kind: 'path'; path: PathPattern } | { kind: 'domain'; domain: DomainRule }
  /** Where it stands now: its file may have been edited since. */
  source(): string
  /** Of one that an answer left. */
  allowed?: Allowance
}

/** What is said of a call, or of a part of it, before the mode is asked; undefined where nothing is. */
export interface Ruling {
  verdict: Verdict
  reason: string
  rule?: RuleReference
  /** What to remember when it is asked about and allowed. */
  remember: readonly string[]
}

/** Where a call stands. Directories are absolute and real. */
export interface Place {
  /** Where relative paths start. */
  cwd: string
  workspace: string
  home: string
  /** Absolute: directories that belong to the workspace, too. */
  directories: readonly string[]
  signal: AbortSignal
}
