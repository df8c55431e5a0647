/** The script as a row of a composition: its steps come from the config. */

import type { Context } from 'cordis'
import z from 'schemastery'
import type {} from '@deepseek-ai/dsh-llm'
import { LlmScript } from './llm-script.ts'
import type { Step } from './steps.ts'

export const name = 'llm-script'
export const inject = ['llm']

export interface LlmScriptConfig {
  models: string[]
  /** Steps in their data form, as `reply` and its siblings return them. */
  steps: Step[]
}

export const Config: z<Partial<LlmScriptConfig>, LlmScriptConfig> = z.object({
  models: z.array(z.string()).default(['script']),
  steps: z.array(z.any()).default([]),
}) as z<Partial<LlmScriptConfig>, LlmScriptConfig>

export function apply(ctx: Context, config: LlmScriptConfig): void {
  const { steps, models } = config
  ctx.llm.registerAdapter(models, new LlmScript(steps))
}
