/** `/context`, `/prompt`, `/tokens` and `/cost`: what the model is sent, how much, and for how much money. */

import type { Context } from 'cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { CommandResult } from '@deepseek-ai/dsh-commands'
import { fenced } from '@deepseek-ai/dsh-text'
import { reportContext } from './context-report.ts'
import { renderContext, renderCost, renderTokens } from './render-reports.ts'
import { reportUsage } from './usage-report.ts'

export const name = 'inspect-commands'
export const inject = ['commands', 'llm', 'systemPrompt']

export function apply(ctx: Context): void {
  const show = (markdown: string): CommandResult => ({ kind: 'show', markdown })
  ctx.commands.register({
    name: 'context',
    description: 'what fills the context window, by part',
    run: async (_args, { agent }) => show(renderContext(reportContext(agent.session, ctx.systemPrompt.sections(agent.scope)), ctx.llm.info(agent.options.model ?? '')?.contextWindow)),
  })
  ctx.commands.register({
    name: 'tokens',
    description: 'the tokens of this session',
    run: async (_args, { agent }) => show(renderTokens(reportUsage(agent.session.events))),
  })
  ctx.commands.register({
    name: 'cost',
    description: 'what this session has cost',
    run: async (_args, { agent }) => show(renderCost(reportUsage(agent.session.events))),
  })
  ctx.commands.register({
    name: 'prompt',
    description: 'the request as the model would get it now',
    run: async (_args, { agent }) => show(renderRequest(agent)),
  })
}

/** System text and tools are those of the last request; before the first there are none. */
function renderRequest({ session, options }: Agent): string {
  const { requestHeader } = session
  const request = { model: options.model, system: requestHeader?.system, tools: requestHeader?.tools, messages: session.deriveMessages() }
  return fenced(JSON.stringify(request, null, 2), 'json')
}
