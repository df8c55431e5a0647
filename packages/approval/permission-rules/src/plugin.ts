/** The gate in front of every tool call: applies the permission mode, and gets an answer to what others want asked. */

import type { Context } from 'cordis'
import z from 'schemastery'
import type {} from '@deepseek-ai/dsh-approval'
import type { PreToolDecision, ToolDefinition, ToolExecution } from '@deepseek-ai/dsh-tools'
import { judgeTool, type PermissionMode } from './decide.ts'

export const name = 'permission-rules'
export const inject = ['tools', 'approval']

export interface PermissionRulesConfig {
  mode: PermissionMode
}

export const Config: z<PermissionRulesConfig> = z.object({
  mode: z.union(['ask', 'auto', 'read-only'] as const).default('ask'),
}) as z<PermissionRulesConfig>

export function apply(ctx: Context, { mode }: PermissionRulesConfig): void {
  // First in line, so that it sees what everybody else decided.
  ctx.on('tools/pre-execute', async (call, tool, next) => {
    const inner = await next()
    if (inner.kind === 'deny') return inner
    const verdict = judgeTool(mode, tool.kind)
    if (verdict === 'refuse') return refusal(tool)
    if (inner.kind === 'allow' && verdict === 'allow') return inner
    return await ask(ctx, call, inner)
  }, { prepend: true })
}

function refusal(tool: ToolDefinition): PreToolDecision {
  return { kind: 'deny', code: 'READ_ONLY', reason: `${tool.name} may change something, and this session is read-only` }
}

async function ask(ctx: Context, call: ToolExecution, inner: PreToolDecision): Promise<PreToolDecision> {
  const { agent, callId, name: tool, signal } = call
  const reason = inner.kind === 'ask' ? inner.reason : undefined
  const args = (inner.kind === 'allow' && inner.arguments) || call.arguments
  if (!agent) return { kind: 'ask', ...(reason !== undefined && { reason }) }
  const answer = await ctx.approval.ask({ agent, callId, tool, arguments: args, rememberable: inner.kind === 'allow', ...(reason !== undefined && { reason }) }, signal)
  switch (answer.kind) {
    case 'allow':
      return inner.kind === 'allow' ? inner : { kind: 'allow' }
    case 'deny':
      return { kind: 'deny', reason: answer.reason ? `the user refused this call: ${answer.reason}` : 'the user refused this call' }
    case 'unavailable':
      return { kind: 'ask', ...(reason !== undefined && { reason }) }
  }
}
