/** Registers the rule-driven stand-in as the model `offline`. */

import type { Context } from 'cordis'
import z from 'schemastery'
import type {} from '@deepseek-ai/dsh-llm'
import { OFFLINE_MODEL, OfflineAdapter, type OfflineOptions } from './offline-adapter.ts'

export const name = 'llm-offline'
export const inject = ['llm']

export type OfflineConfig = OfflineOptions

export const Config: z<OfflineConfig> = z.object({
  paceMs: z.natural().max(10_000).default(0),
  maxSteps: z.natural().min(2).max(100).default(8),
}) as z<OfflineConfig>

export function apply(ctx: Context, config: OfflineConfig): void {
  ctx.llm.registerAdapter([OFFLINE_MODEL], new OfflineAdapter(config))
}
