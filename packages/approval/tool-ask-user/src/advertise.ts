/**
 * Decides which agents are offered the tool. It is decided when an agent begins
 * and holds for its session, so that no request's tools differ from the last
 * one's: what the log says goes before who is there now.
 */

import type { Context } from 'cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type {} from '@deepseek-ai/dsh-approval'
import type { ToolDefinition } from '@deepseek-ai/dsh-tools'

/** Offers the tool to the agents that there are and to those that come, each in its own scope, until the plugin goes. */
export function advertise(ctx: Context, tool: ToolDefinition): void {
  const offered = new Map<Agent, () => void>()
  const offer = (agent: Agent): void => {
    if (isOffered(ctx, agent, tool.name)) offered.set(agent, agent.ctx.tools.register(tool))
  }
  const withdraw = (agent: Agent): void => {
    offered.get(agent)?.()
    offered.delete(agent)
  }
  ctx.effect(() => () => [...offered.keys()].forEach(withdraw), 'tool-ask-user offers')
  ctx.on('agent/created', offer)
  ctx.on('agent/disposed', withdraw)
  for (const agent of ctx.agents.list()) offer(agent)
}

/** A session whose requests have a list of tools keeps it; a new one has the tool where somebody can be asked. */
function isOffered(ctx: Context, { session, scope }: Agent, name: string): boolean {
  // A child sees what its parent has.
  if (scope.parent !== undefined) return false
  const { requestHeader } = session
  return requestHeader ? requestHeader.tools.some(tool => tool.name === name) : ctx.approval.canInquire
}
