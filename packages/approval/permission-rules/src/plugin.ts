/** The gate in front of every tool call: applies the permission mode, and gets an answer to what others want asked. */

import type { Context } from 'cordis'
import z from 'schemastery'
import type { Judgement, PolicyCall } from '@deepseek-ai/dsh-approval'
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
  for (const [each, description] of Object.entries(MODES)) ctx.approval.registerMode({ name: each, description })
  ctx.approval.setPolicy({
    defaultMode: mode,
    judge: async call => judge(ctx, call),
    rules: async () => [],
  })
  // First in line, so that it sees what everybody else decided.
  ctx.on('tools/pre-execute', async (call, tool, next) => {
    const inner = await next()
    if (inner.kind === 'deny') return inner
    const args = (inner.kind === 'allow' && inner.arguments) || call.arguments
    const judgement = judge(ctx, { tool: tool.name, ...(tool.kind && { kind: tool.kind }), arguments: args, cwd: call.cwd, ...(call.agent && { session: call.agent.session }) })
    if (judgement.verdict === 'deny') return refusal(tool)
    if (inner.kind === 'allow' && judgement.verdict === 'allow') return inner
    return await ask(ctx, call, inner, judgement)
  }, { prepend: true })
}

const MODES: Readonly<Record<PermissionMode, string>> = {
  ask: 'what only reads runs, everything else is asked',
  auto: 'everything runs but what is dangerous, which is asked',
  'read-only': 'what only reads runs, everything else is refused',
}

function judge(ctx: Context, { tool, kind, session, mode }: PolicyCall): Judgement {
  const named = mode ?? (session && ctx.approval.modeOf(session)) ?? ctx.approval.policy?.defaultMode ?? 'read-only'
  const base = ctx.approval.baseMode(named)
  const verdict = base === 'ask' || base === 'auto' || base === 'read-only' ? judgeTool(base, kind) : 'deny'
  if (verdict === 'ask' && session && ctx.approval.remembered(session).includes(tool)) return { verdict: 'allow', reason: 'allowed before', remember: [] }
  return { verdict, reason: `mode ${named}`, remember: [tool] }
}

function refusal(tool: ToolDefinition): PreToolDecision {
  return { kind: 'deny', code: 'READ_ONLY', reason: `${tool.name} may change something, and this session is read-only` }
}

async function ask(ctx: Context, call: ToolExecution, inner: PreToolDecision, { remember }: Judgement): Promise<PreToolDecision> {
  const { agent, callId, name: tool, signal } = call
  const reason = inner.kind === 'ask' ? inner.reason : undefined
  const args = (inner.kind === 'allow' && inner.arguments) || call.arguments
  if (!agent) return { kind: 'ask', ...(reason !== undefined && { reason }) }
  const isRemembered = (): boolean => inner.kind === 'allow' && ctx.approval.remembered(agent.session).includes(tool)
  const answer = await ctx.approval.ask({
    agent, callId, tool, arguments: args, ...(reason !== undefined && { reason }),
    remember: inner.kind === 'allow' ? remember : [],
    settled: async () => (isRemembered() ? { kind: 'allow', scope: 'session' } : undefined),
  }, signal)
  switch (answer.kind) {
    case 'allow':
      return inner.kind === 'allow' ? inner : { kind: 'allow' }
    case 'deny':
      return { kind: 'deny', reason: answer.reason ? `the user refused this call: ${answer.reason}` : 'the user refused this call' }
    case 'unavailable':
      return { kind: 'ask', ...(reason !== undefined && { reason }) }
  }
}
