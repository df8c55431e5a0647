/** How the tools of an agent show their calls and results; a view that throws gives way to the plain card. */

import type { Context } from 'cordis'
import type { ToolViews } from '@deepseek-ai/dsh-acp-content'
import type { Scope } from '@deepseek-ai/dsh-scope'
import type { ToolDefinition } from '@deepseek-ai/dsh-tools'

export function toolViews(ctx: Context, scope: Scope): ToolViews {
  const find = (name: string): ToolDefinition | undefined => ctx.tools.get(name, scope)
  const attempt = <T>(name: string, view: () => T): T | undefined => {
    try {
      return view()
    } catch (error) {
      ctx.logger.warn('the tool %s cannot show itself: %s', name, error)
      return undefined
    }
  }
  return {
    kind: name => find(name)?.kind ?? 'other',
    call: (name, args) => attempt(name, () => find(name)?.presentCall?.(args)),
    result: (name, args, result) => attempt(name, () => find(name)?.presentResult?.(args, result)),
  }
}
