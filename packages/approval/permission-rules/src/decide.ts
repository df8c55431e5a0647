/** What a permission mode says about a tool. Pure. */

import type { Verdict } from '@deepseek-ai/dsh-approval'
import type { ToolKind } from '@deepseek-ai/dsh-tools'

/**
 * `ask`: what only reads runs, everything else is asked. `auto`: everything
 * runs but what another plugin wants asked. `read-only`: what only reads runs,
 * everything else is refused.
 */
export type PermissionMode = 'ask' | 'auto' | 'read-only'

const READING: ReadonlySet<ToolKind> = new Set<ToolKind>(['read', 'search', 'think'])

export function judgeTool(mode: PermissionMode, kind: ToolKind = 'other'): Verdict {
  if (mode === 'auto' || READING.has(kind)) return 'allow'
  return mode === 'ask' ? 'ask' : 'deny'
}
