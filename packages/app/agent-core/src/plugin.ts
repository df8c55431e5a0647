/** The spine as one plugin: model service, log, prompt, tools, agents and, unless it is replaced, the loop. */

import type { Context } from 'cordis'
import z from 'schemastery'
import { AgentRegistry } from '@deepseek-ai/dsh-agent'
import { AgentLoop, type AgentLoopConfig } from '@deepseek-ai/dsh-agent-loop'
import { LlmService } from '@deepseek-ai/dsh-llm'
import { SessionStore } from '@deepseek-ai/dsh-session'
import { SystemPrompt } from '@deepseek-ai/dsh-system-prompt'
import { ToolRegistry, type ToolRegistryConfig } from '@deepseek-ai/dsh-tools'

export const name = 'agent-core'

export interface AgentCoreConfig {
  /** False leaves the loop out, for a composition that mounts another one. */
  loop: boolean
  agentLoop: AgentLoopConfig
  tools: ToolRegistryConfig
}

export const Config: z<AgentCoreConfig> = z.object({
  loop: z.boolean().default(true),
  agentLoop: AgentLoop.Config,
  tools: z.object({ maxResultLength: z.natural().min(1000) }),
}) as z<AgentCoreConfig>

export function apply(ctx: Context, config: AgentCoreConfig): void {
  ctx.plugin(LlmService)
  ctx.plugin(SessionStore)
  ctx.plugin(SystemPrompt)
  ctx.plugin(ToolRegistry, config.tools)
  ctx.plugin(AgentRegistry)
  if (config.loop) ctx.plugin(AgentLoop, config.agentLoop)
}
