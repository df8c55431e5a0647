/** Tells the model who it is, how to work, and where: two prompt sections that stay the same for a whole session. */

import { platform } from 'node:os'
import type { Context } from 'cordis'
import z from 'schemastery'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type {} from '@deepseek-ai/dsh-system-prompt'
import { IDENTITY } from './identity.ts'
import { renderEnvironment } from './render-environment.ts'

export const name = 'base-prompt'
export const inject = ['systemPrompt', 'agents']

export interface BasePromptConfig {
  /** Replaces the text about who the model is and how to work; empty leaves it out. */
  identity: string
  /** Whether to name directory, platform and date. */
  environment: boolean
}

export const Config: z<BasePromptConfig> = z.object({
  identity: z.string().default(IDENTITY),
  environment: z.boolean().default(true),
}) as z<BasePromptConfig>

export function apply(ctx: Context, { identity, environment }: BasePromptConfig): void {
  ctx.systemPrompt.section({ name: 'identity', order: 0, text: identity })
  if (!environment) return
  const removals = new Map<Agent, () => void>()
  const describe = (agent: Agent): void => {
    const { cwd, createdAt } = agent.session.header
    // From the header and not from the clock, so that a resumed session keeps the bytes of its prompt.
    const text = renderEnvironment({ cwd: cwd ?? process.cwd(), platform: platform(), createdAt })
    removals.set(agent, agent.ctx.systemPrompt.section({ name: 'environment', order: 900, text }))
  }
  for (const agent of ctx.agents.list()) describe(agent)
  ctx.on('agent/created', describe)
  ctx.on('agent/disposed', agent => removals.delete(agent))
  ctx.effect(() => () => {
    for (const remove of removals.values()) remove()
  }, 'base-prompt sections')
}
