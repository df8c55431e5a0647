/** `/context`, `/prompt`, `/tokens` and `/cost`: what the model is sent, how much, and for how much money. */

import type { Context } from 'cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { CommandResult } from '@deepseek-ai/dsh-commands'
import { renderPrompt } from '@deepseek-ai/dsh-system-prompt'
import { fenced } from '@deepseek-ai/dsh-text'
import { reportContext, type RequestHeader } from './context-report.ts'
import { renderContext, renderCost, renderTokens } from './render-reports.ts'
import { reportUsage } from './usage-report.ts'

export const name = 'inspect-commands'
export const inject = ['commands', 'llm', 'systemPrompt']

export function apply(ctx: Context): void {
  const show = (markdown: string): CommandResult => ({ kind: 'show', markdown })
  ctx.commands.register({
    name: 'context',
    description: 'what fills the context window, by part',
    run: async (_args, { agent }) => show(renderContext(reportContext(agent.session, ctx.systemPrompt.sections(agent.scope), await headerOf(ctx, agent)), ctx.llm.info(agent.options.model ?? '')?.contextWindow)),
  })
  ctx.commands.register({
    name: 'tokens',
    description: 'the tokens of this session',
    run: async (_args, { agent }) => show(renderTokens(reportUsage(agent.session.settledEvents))),
  })
  ctx.commands.register({
    name: 'cost',
    description: 'what this session has cost',
    run: async (_args, { agent }) => show(renderCost(reportUsage(agent.session.settledEvents))),
  })
  ctx.commands.register({
    name: 'prompt',
    description: 'the request as the model would get it now',
    run: async (_args, { agent }) => show(renderRequest(agent, await headerOf(ctx, agent))),
  })
}

/** System text and tools are those of the last request; before the first, those that it would have. */
async function headerOf(ctx: Context, { session, scope, options }: Agent): Promise<RequestHeader> {
  if (session.requestHeader) return session.requestHeader
  const assembly = await ctx.systemPrompt.assemble(scope)
  return { system: [renderPrompt(assembly), options.systemPrompt?.trim() ?? ''].filter(text => text !== '').join('\n\n'), tools: assembly.tools }
}

function renderRequest({ session, options }: Agent, { system, tools }: RequestHeader): string {
  return fenced(JSON.stringify({ model: options.model, system, tools, messages: session.deriveMessages() }, null, 2), 'json')
}
