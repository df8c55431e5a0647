/** A plugin that has every call asked about, as `permission-rules` does. */

import type { Context } from 'cordis'
import type {} from '@deepseek-ai/dsh-approval'

export const askFirst = {
  name: 'ask-first',
  inject: ['approval'],
  apply(ctx: Context): void {
    ctx.on('tools/pre-execute', async (call, tool) => {
      if (!call.agent) return { kind: 'ask' }
      const answer = await ctx.approval.ask({ agent: call.agent, callId: call.callId, tool: tool.name, arguments: call.arguments, reason: 'it may change something', remember: [`${tool.name}(here)`] }, call.signal)
      if (answer.kind === 'allow') return { kind: 'allow' }
      return answer.kind === 'deny' ? { kind: 'deny', reason: `refused: ${answer.reason ?? ''}` } : { kind: 'ask', ...(answer.reason !== undefined && { reason: answer.reason }) }
    })
  },
}
